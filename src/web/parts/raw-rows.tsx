import type { TableStart } from '../../client/import/table-start.ts'

/** Rows as they stand in a file. */
export function RawRows({
  columns,
  records,
}: {
  columns: readonly string[]
  records: TableStart['records']
}) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="First rows of the file">
      <table class="raw">
        <thead>
          <tr>
            <th scope="col" class="number">
              Line
            </th>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map(({ line, cells }) => (
            <tr>
              <td class="number">{line}</td>
              {columns.map((column) => (
                <td>{Object.hasOwn(cells, column) ? cells[column] : ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
