import { Layout } from '../parts/layout.tsx'

export function LoginPage({ wrong }: { wrong: boolean }) {
  return (
    <Layout title="Token">
      <h1>A token is needed</h1>
      <p>It was printed where the server was started.</p>
      {wrong ? <p class="notice bad">That is not the token.</p> : null}
      <form method="post" action="/login" class="inline">
        <label>
          Token
          <input name="token" type="password" required autocomplete="current-password" />
        </label>
        <button class="primary" type="submit">
          Go on
        </button>
      </form>
    </Layout>
  )
}
