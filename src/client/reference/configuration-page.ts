/** docs/configuration.md: every setting of the environment. */
import { configEnv, loadConfig, settingNames } from '../../config.ts'
import { settingTexts } from '../../setting-texts.ts'

/** @returns Markdown */
export function configurationPage(): string {
  const { RECORD_LINKER_HOME: _, ...shipped } = configEnv(loadConfig({}))
  const defaults: Readonly<Record<string, string | undefined>> = {
    ...shipped,
    RECORD_LINKER_HOME: '.record-linker in the folder of the program',
    RECORD_LINKER_CREDENTIALS: undefined,
  }
  const entries = settingNames.map((name) => {
    const value = defaults[name]
    const text = value === undefined ? 'not set' : `default \`${value}\``
    return `- **\`${name}\`** (${text}): ${settingTexts[name]}`
  })
  return `# Configuration

<!-- Made by scripts/docs.mjs from src/config.ts and src/setting-texts.ts; a check compares the two. -->

All settings are environment variables; flags of a command stand above them. An empty one counts as not set, and one that cannot
be understood ends the command with exit code 2 and says what was expected. \`./record-linker config\` shows what holds, and where
each value came from; secrets are masked.

${entries.join('\n')}

Where a Temporal server wants a key or certificates, a profile of Temporal's own configuration file says so:
[operations.md](operations.md#temporal-profiles). How fast each server is asked is not among these: [limits.md](limits.md).
`
}
