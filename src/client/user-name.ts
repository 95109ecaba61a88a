import { userInfo } from 'node:os'

/** Who is at this terminal, for the trace of what people say. @param otherwise in a container the user id may have no name */
export function userName(otherwise: string): string {
  try {
    return userInfo().username
  } catch {
    return otherwise
  }
}
