/** Where the servers are that this program works with, its own or somebody else's. */
import { z } from 'zod'

export const stackAddressesSchema = z.object({
  /** host:port */
  temporalAddress: z.string(),
  temporalNamespace: z.string(),
  databaseUrl: z.string(),
  /** undefined: Temporal is not ours. */
  webUiUrl: z.string().optional(),
  /** Reconciliation endpoint of the sample knowledge base, without a final slash; undefined: nothing of the stack is ours. */
  sampleServiceUrl: z.string().optional(),
  /** Of people's pages and the API, without a final slash; undefined: they are not served. */
  pagesUrl: z.string().optional(),
  /** Folder of the embedded stack. */
  home: z.string(),
})

export type StackAddresses = Readonly<z.infer<typeof stackAddressesSchema>>

/** The stack as one client uses it. */
export type Stack = StackAddresses & {
  /** Ends this client's hold: the embedded stack may end after a while without clients and open runs. */
  readonly close: () => void
}
