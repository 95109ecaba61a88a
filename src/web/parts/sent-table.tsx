import type { KeptColumn, SentColumns } from '../../client/match/dry-run/sent-columns.ts'

const meaning: Readonly<Record<string, string>> = {
  query: 'the name searched for',
  type: 'its type',
}

/** Which columns leave this machine, as what, and which stay. */
export function SentTable({
  sent,
  kept,
}: {
  sent: readonly SentColumns[]
  kept: readonly KeptColumn[]
}) {
  const compared = kept.filter(({ use }) => use === 'compare').map(({ column }) => column)
  const unread = kept.filter(({ use }) => use === 'keep').map(({ column }) => column)
  return (
    <>
      <div class="scroll" tabindex={0} role="region" aria-label="What is sent">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Sent as</th>
              <th scope="col">For example</th>
            </tr>
          </thead>
          <tbody>
            {sent.map(({ columns, as, onlyIfUndecided, examples }) => (
              <tr>
                <th scope="row">{columns.join(' + ')}</th>
                <td>
                  {meaning[as] ?? as}
                  {onlyIfUndecided ? <small>only while its record is undecided</small> : null}
                </td>
                <td>{examples.map((example) => `“${example}”`).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="small">
        Stays on this machine:{' '}
        {compared.length === 0 ? '' : `${compared.join(', ')} (compared with the answers here); `}
        {unread.length === 0 ? 'no other column' : `${unread.join(', ')} (not read)`}.
      </p>
    </>
  )
}
