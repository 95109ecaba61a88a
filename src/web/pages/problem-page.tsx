import { Layout } from '../parts/layout.tsx'
import type { Problem } from '../problem.ts'

export function ProblemPage({ problem }: { problem: Problem }) {
  return (
    <Layout title={problem.title}>
      <h1>{problem.title}</h1>
      <p class="notice bad">{problem.detail}</p>
      {problem.hint === undefined ? null : <pre class="hint">{problem.hint}</pre>}
      <p class="small">
        Code <code>{problem.code}</code>
      </p>
      <p>
        <a href="/">To the projects</a>
      </p>
    </Layout>
  )
}
