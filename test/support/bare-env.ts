/** What a user's shell would have: nothing of the test run, none of our settings, no servers of the user. */
export function bareEnv(): NodeJS.ProcessEnv {
  const ours =
    /^(?:TEMPORAL_|RECORD_LINKER_|OTEL_|DATABASE_URL$|VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|PROD$|DEV$|MODE$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}
