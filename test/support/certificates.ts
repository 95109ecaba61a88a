/**
 * Certificates made on the spot, of a certificate authority that nobody knows.
 *
 *   const authority = makeAuthority('Test CA')
 *   const { key, cert } = authority.issue({ names: ['files.test'], days: [-1, 30] })
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Issued {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

export interface Wished {
  /** The first one is the subject. */
  readonly names: readonly string[]
  /** Valid from and until, in days from now; default yesterday to in a month. */
  readonly days?: readonly [number, number]
}

export interface Authority extends Issued {
  issue(wished: Wished): Issued
  /** One below it. */
  authority(name: string): Authority
}

export function makeAuthority(name: string): Authority {
  const keys = newKeys()
  return authorityOf(name, keys, makeCertificate({ names: [name] }, keys, { name, keys }, true))
}

/** Vouched for by itself. */
export function makeSelfSigned(wished: Wished): Issued {
  const keys = newKeys()
  const [name = ''] = wished.names
  return issued(keys, makeCertificate(wished, keys, { name, keys }, false))
}

interface Keys {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

interface Issuer {
  readonly name: string
  readonly keys: Keys
}

function authorityOf(name: string, keys: Keys, certificate: Buffer): Authority {
  const issuer = { name, keys }
  return {
    ...issued(keys, certificate),
    issue(wished) {
      const own = newKeys()
      return issued(own, makeCertificate(wished, own, issuer, false))
    },
    authority(below) {
      const own = newKeys()
      return authorityOf(below, own, makeCertificate({ names: [below] }, own, issuer, true))
    },
  }
}

const newKeys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' })

function issued({ privateKey }: Keys, certificate: Buffer): Issued {
  const lines = certificate
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

// As RFC 5280 writes it, in DER.
function makeCertificate(wished: Wished, own: Keys, issuer: Issuer, isAuthority: boolean): Buffer {
  const { names, days = [-1, 30] } = wished
  const subjectNames = names.map((name) => der(0x82, Buffer.from(name)))
  const extensions = isAuthority
    ? [extension('551d13', der(0x30, Buffer.from('0101ff', 'hex')))]
    : [extension('551d11', der(0x30, ...subjectNames))]
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const toSign = der(
    0x30,
    der(0xa0, integer(2)),
    der(0x02, Buffer.concat([Buffer.of(0x01), randomBytes(8)])),
    algorithm,
    commonName(issuer.name),
    der(0x30, ...days.map(moment)),
    commonName(names[0] ?? ''),
    own.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions)),
  )
  const signature = sign('sha256', toSign, issuer.keys.privateKey)
  return der(0x30, toSign, algorithm, der(0x03, Buffer.of(0), signature))
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  if (body.length < 128) return Buffer.concat([Buffer.of(tag, body.length), body])
  const hex = body.length.toString(16)
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.of(tag, 0x80 + length.length), length, body])
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const integer = (value: number): Buffer => der(0x02, Buffer.of(value))
const extension = (id: string, value: Buffer): Buffer => der(0x30, oid(id), der(0x04, value))
const commonName = (name: string): Buffer =>
  der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(name)))))

function moment(days: number): Buffer {
  const at = new Date(Date.now() + days * 24 * 60 * 60 * 1000)
  return der(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d+/g, '')))
}
