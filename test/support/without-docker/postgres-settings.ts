import { composeService } from './compose-file.ts'

/** What docker-compose.yml gives to PostgreSQL by `-c NAME=VALUE`. */
export function postgresSettings(): Readonly<Record<string, string>> {
  const [, ...words] = composeService('postgres').command ?? []
  return Object.fromEntries(
    words.flatMap((word, index) => {
      const [name = '', value = ''] = word.split('=')
      return words[index - 1] === '-c' ? [[name, value]] : []
    }),
  )
}
