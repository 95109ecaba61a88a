import type { Command } from 'commander'
import {
  configEnv,
  loadConfig,
  maskPassword,
  settingNames,
  type Config,
  type SettingName,
} from '../../config.ts'
import { settingTexts } from '../../setting-texts.ts'
import { credentialsText, maskCredentials } from '../../credentials.ts'
import { outputOption, printAnswer, type OutputFormat } from '../output.ts'

export function register(program: Command): void {
  program
    .command('config')
    .summary('show all settings and where each came from')
    .description(
      'Shows every setting, its value and where it came from; passwords and tokens are masked.',
    )
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  ./record-linker config\n  ./record-linker config -o json')
    .action(({ output }: { output: OutputFormat }) => {
      const settings = shownSettings(loadConfig(process.env))
      const byName = Object.fromEntries(
        settings.map(({ name, value, source }) => [name, { value, source }]),
      )
      printAnswer(output, byName, () => settings.map(settingText).join('\n'))
    })
}

interface ShownSetting {
  readonly name: SettingName
  readonly value: string | null
  readonly source: 'environment' | 'default'
}

function shownSettings(config: Config): readonly ShownSetting[] {
  const masked = config.databaseUrl === undefined ? undefined : maskPassword(config.databaseUrl)
  const credentials = credentialsText(maskCredentials(config.credentials))
  const hidden = (secret: string | undefined) => (secret === undefined ? undefined : '***')
  const values = {
    ...configEnv(config),
    DATABASE_URL: masked,
    RECORD_LINKER_CREDENTIALS: credentials,
    RECORD_LINKER_WIKIDATA_TOKEN: hidden(config.wikidataToken),
    RECORD_LINKER_WEB_TOKEN: hidden(config.webToken),
  }
  return settingNames.map((name) => ({
    name,
    value: values[name] ?? null,
    source: config.sources[name],
  }))
}

function settingText({ name, value, source }: ShownSetting): string {
  return `${name.padEnd(28)} ${value ?? '(not set)'}  [${source}]\n${' '.repeat(29)}${settingTexts[name]}`
}
