import type { SettingName } from './config.ts'

/** What each setting is for. */
export const settingTexts: Readonly<Record<SettingName, string>> = {
  TEMPORAL_ADDRESS: 'Temporal server to use; without it an embedded one is started',
  TEMPORAL_NAMESPACE: 'Temporal namespace',
  TEMPORAL_PROFILE:
    'profile of Temporal’s configuration file: address, namespace, key, certificates',
  TEMPORAL_CONFIG_FILE: 'that file; without it where Temporal’s own programs look for it',
  DATABASE_URL: 'PostgreSQL database to use; without it an embedded one is started',
  RECORD_LINKER_CONTACT: 'your e-mail address or page; services other than local ones see it',
  RECORD_LINKER_CREDENTIALS:
    'secrets by host, as JSON: {"service.example.org": "user:password, token or key"}',
  RECORD_LINKER_HOME: 'folder with everything the embedded servers keep',
  RECORD_LINKER_LIMITS: 'file with limits of your own; without it limits.json in the home, if any',
  RECORD_LINKER_WIKIDATA_URL: 'where the service "wikidata" is: the api.php of a Wikibase',
  RECORD_LINKER_WIKIDATA_TOKEN: 'OAuth 2 access token for it, for a higher limit; never shown',
  RECORD_LINKER_WEB_TOKEN: 'token that serve asks for; never shown',
  RECORD_LINKER_IDLE_MINUTES: 'the embedded servers end after so long without a run or a command',
  RECORD_LINKER_END_COMMANDS:
    'whether a worker runs the commands of start-match --on-end: on or off; without it only that of the embedded servers does',
  RECORD_LINKER_ACTIVITIES: 'activities in flight in one worker process',
  RECORD_LINKER_POLLERS:
    'requests for work that one worker process keeps open at Temporal, of each kind; auto: as many as the server says',
  RECORD_LINKER_DB_CONNECTIONS: 'connections of one worker process to the database, at most',
  RECORD_LINKER_GRACE_SECONDS:
    'how long a worker that is told to stop waits for answers that are on their way',
  RECORD_LINKER_HEALTH_PORT:
    'port where a worker answers /healthz and /readyz; without it none does',
  RECORD_LINKER_HEALTH_HOST: 'address for it; another machine needs one that is not loopback',
  RECORD_LINKER_METRICS:
    'where a worker answers /metrics for Prometheus, like 127.0.0.1:9464; without it none does',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'where workers send traces, by OTLP over HTTP, like http://127.0.0.1:4318; without it nowhere (operations.md)',
  RECORD_LINKER_LOG_LEVEL: 'trace, debug, info, warn, error, silent',
}
