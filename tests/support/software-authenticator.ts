import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Descriptor = { id: string }
/** The parts of WebAuthn's JSON options that an authenticator uses. */
export type CreationOptions = {
  challenge: string
  rp: { id?: string }
  user: { id: string; name: string }
  excludeCredentials?: Descriptor[]
}
export type RequestOptions = { challenge: string; rpId?: string; allowCredentials?: Descriptor[] }

type HeldKey = { id: string; rpId: string; userHandle: string; privateKey: KeyObject; signCount: number }

export type AuthenticatorTricks = {
  /** Overrides the page's origin. */
  origin?: string
  /** Overrides the requested relying party. */
  rpId?: string
  challenge?: string
  userVerified?: boolean
  userPresent?: boolean
  /** Overrides the next signature counter. */
  signCount?: number
  /** For assertions: overrides the user handle. */
  userHandle?: string
}

const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

/** A minimal authenticator and browser: ES256, discoverable keys, no attestation. `tricks` make it misbehave. */
export function createSoftwareAuthenticator(origin: string) {
  const held: HeldKey[] = []

  const clientData = (type: string, challenge: string, tricks: AuthenticatorTricks) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: tricks.challenge ?? challenge,
        origin: tricks.origin ?? origin,
        crossOrigin: false,
      }),
    )

  const flagsOf = (tricks: AuthenticatorTricks, attested: boolean) =>
    (tricks.userPresent === false ? 0 : 0x01) | (tricks.userVerified === false ? 0 : 0x04) | (attested ? 0x40 : 0)

  const header = (rpId: string, flags: number, signCount: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(signCount)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }

  return {
    held,
    /** Like `navigator.credentials.create()` followed by `toJSON()`. */
    create(options: CreationOptions, tricks: AuthenticatorTricks = {}) {
      if (options.excludeCredentials?.some(({ id }) => held.some((key) => key.id === id))) {
        throw new Error('InvalidStateError: this authenticator holds one of the excluded keys')
      }
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const rpId = tricks.rpId ?? options.rp.id ?? ''
      const id = randomBytes(32)
      const key = { id: b64(id), rpId, userHandle: options.user.id, privateKey, signCount: tricks.signCount ?? 0 }
      held.push(key)
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
          [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
        ]),
      )
      const authData = Buffer.concat([
        header(rpId, flagsOf(tricks, true), key.signCount),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cose,
      ])
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', Uint8Array.from(authData)],
        ]),
      )
      return {
        id: key.id,
        rawId: key.id,
        type: 'public-key' as const,
        authenticatorAttachment: 'platform' as const,
        clientExtensionResults: { credProps: { rk: true } },
        response: {
          clientDataJSON: b64(clientData('webauthn.create', options.challenge, tricks)),
          attestationObject: b64(attestationObject),
          transports: ['internal' as const],
        },
      }
    },
    /** Like `navigator.credentials.get()` followed by `toJSON()`. */
    get(options: RequestOptions, tricks: AuthenticatorTricks = {}) {
      const allowed = options.allowCredentials?.length ? options.allowCredentials.map(({ id }) => id) : null
      const key = held.findLast((each) => each.rpId === options.rpId && (!allowed || allowed.includes(each.id)))
      if (!key) throw new Error('NotAllowedError: no such key here')
      key.signCount = tricks.signCount ?? key.signCount + 1
      const authData = header(tricks.rpId ?? key.rpId, flagsOf(tricks, false), key.signCount)
      const clientDataJSON = clientData('webauthn.get', options.challenge, tricks)
      const signature = createSign('sha256')
        .update(Buffer.concat([authData, sha256(clientDataJSON)]))
        .sign(key.privateKey)
      return {
        id: key.id,
        rawId: key.id,
        type: 'public-key' as const,
        authenticatorAttachment: 'platform' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: b64(clientDataJSON),
          authenticatorData: b64(authData),
          signature: b64(signature),
          userHandle: tricks.userHandle ?? key.userHandle,
        },
      }
    },
  }
}

export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>
