import { Layout } from '../parts/layout.tsx'
import type { Problem } from '../problem.ts'

/** Where a file begins its way. */
export function UploadPage({ problem }: { problem: Problem | null }) {
  return (
    <Layout title="Import a file" crumbs={[{ text: 'Import' }]}>
      <h1>Import a file</h1>
      {problem === null ? null : (
        <p class="notice bad" role="alert">
          {problem.detail} {problem.hint}
        </p>
      )}
      <form method="post" action="/import" enctype="multipart/form-data" class="card upload">
        <label>
          A file with one record a line
          <input type="file" name="file" required />
        </label>
        <button class="primary" type="submit">
          Look at it
        </button>
        <p class="small">
          CSV, TSV, JSON lines or XLSX, also gzipped. The first line names the columns.
        </p>
      </form>
      <ol class="steps">
        <li>You see its first 20 rows, and what each column probably is; you say what it is.</li>
        <li>You see what would be sent, and to whom. Until you start a match nothing leaves.</li>
        <li>You try 20 records, look at what was found, and start the others.</li>
      </ol>
    </Layout>
  )
}
