/** A client whose commands to workflows are held up: between what it is told and what it does next others go on. */
import type { Client } from '@temporalio/client'

/**
 * @param after the call that is held up once it has been answered
 * @param meanwhile happens then, once
 */
export function heldClient(
  client: Client,
  after: 'describe' | 'cancel',
  meanwhile: () => Promise<void>,
): Client {
  let isHeld = true
  const held = async (answer: unknown): Promise<unknown> => {
    if (isHeld) {
      isHeld = false
      await meanwhile()
    }
    return answer
  }
  const handleWith = (handle: object): object =>
    new Proxy(handle, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name, target)
        if (typeof own !== 'function') return own
        const call = (...args: unknown[]): unknown => Reflect.apply(own, target, args)
        return name === after ? async (...args: unknown[]) => held(await call(...args)) : call
      },
    })
  const workflow = new Proxy(client.workflow, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target)
      if (typeof own !== 'function') return own
      return (...args: unknown[]): unknown => {
        const made: unknown = Reflect.apply(own, target, args)
        return name === 'getHandle' && typeof made === 'object' && made !== null
          ? handleWith(made)
          : made
      }
    },
  })
  return new Proxy(client, {
    get: (target, name): unknown => (name === 'workflow' ? workflow : Reflect.get(target, name)),
  })
}
