/** Whether the worker of this container lives, for its health check: exit code 0 or 1. */
const port = process.env.RECORD_LINKER_HEALTH_PORT ?? '8081'
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`)
  process.exitCode = ok ? 0 : 1
} catch {
  process.exitCode = 1
}
