/** Stands in for the sample service: an HTTP server that answers everything. */
import { createServer } from 'node:http'

const server = createServer((_request, response) => response.end('{}'))
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.({ ready: true }))
const end = () => process.exit(0)
process.on('SIGTERM', end)
process.on('disconnect', end)
