import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import type { Config } from '#server/config/config.ts'

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * WebAuthn relying party, from the configuration only. IP addresses aren't valid ids, so the sandbox always uses
 * `localhost`.
 */
function relyingParty({ publicUrl, mode, settings }: Pick<Config, 'publicUrl' | 'mode' | 'settings'>) {
  const { name } = settings.publication
  const url = new URL(publicUrl)
  if (mode === 'production' || !loopback.has(url.hostname)) {
    return { id: url.hostname, name, origins: [url.origin] }
  }
  const port = url.port && `:${url.port}`
  const origins = [...loopback].map((host) => `${url.protocol}//${host}${port}`)
  return { id: 'localhost', name, origins }
}

/** Loaded on first use, to keep startup fast. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** Lifetime of a challenge, and the browser's timeout. */
export const webauthnLifetimeMs = 5 * 60_000
/** ES256, EdDSA and RS256. */
const algorithms = [-7, -8, -257]

/** Stored public key of a credential. */
export type AuthenticatorKey = {
  id: Uint8Array<ArrayBuffer>
  /** COSE-encoded. */
  publicKey: Uint8Array<ArrayBuffer>
  signCount: number
  transports: string[]
}

export type NewAuthenticatorKey = AuthenticatorKey & {
  aaguid: string | null
  backupEligible: boolean
  backedUp: boolean
  userVerified: boolean
}

export type Selection = NonNullable<PublicKeyCredentialCreationOptionsJSON['authenticatorSelection']>

const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,100000}$/)
/** Browsers without `toJSON` omit optional fields and send `rawId` as `id`. */
const credential = { id: base64url, rawId: base64url.nullish(), type: z.literal('public-key').nullish() }

export const createdCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(30)).max(20).nullish(),
  }),
})

export const signedCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
})

type CreatedCredential = z.output<typeof createdCredential>
export type SignedCredential = z.output<typeof signedCredential>

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
export const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'))

const descriptors = (keys: readonly Pick<AuthenticatorKey, 'id' | 'transports'>[]) =>
  keys.map(({ id, transports }) => ({ id: toText(id), transports }))

/** Options to create a key. Authenticators keep one discoverable key per `user.id`. */
export async function creationOptions(
  config: Config,
  request: {
    user: { id: string; name: string }
    exclude: readonly Pick<AuthenticatorKey, 'id' | 'transports'>[]
    selection: Selection
  },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  const party = relyingParty(config)
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: new TextEncoder().encode(request.user.id),
    userName: request.user.name,
    userDisplayName: request.user.name,
    timeout: webauthnLifetimeMs,
    attestationType: 'none',
    excludeCredentials: descriptors(request.exclude),
    authenticatorSelection: request.selection,
    supportedAlgorithmIDs: algorithms,
  })
  // auth-js adds a preference for security keys if `hints` is missing.
  return { ...options, hints: [] }
}

export async function requestOptions(
  config: Config,
  request: {
    allow?: readonly Pick<AuthenticatorKey, 'id' | 'transports'>[]
    userVerification: 'required' | 'preferred'
  },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(config).id,
    timeout: webauthnLifetimeMs,
    userVerification: request.userVerification,
    ...(request.allow && { allowCredentials: descriptors(request.allow) }),
  })
  return { ...options, hints: [] }
}

/** Verifies a new key against the challenge; null if anything is invalid. */
export async function verifyRegistration(
  config: Config,
  given: { credential: CreatedCredential; challenge: string; requireUserVerification: boolean },
): Promise<NewAuthenticatorKey | null> {
  const { verifyRegistrationResponse } = await library()
  const { id: expectedRPID, origins: expectedOrigin } = relyingParty(config)
  const { id, rawId, response } = given.credential
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: rawId ?? id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: await withoutStatement(response.attestationObject),
        },
      },
      expectedChallenge: given.challenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: given.requireUserVerification,
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo || registrationInfo.credential.id !== id) return null
    const { credential, aaguid, credentialDeviceType, credentialBackedUp, userVerified } = registrationInfo
    return {
      id: toBytes(credential.id),
      publicKey: Uint8Array.from(credential.publicKey),
      signCount: credential.counter,
      transports: response.transports ?? [],
      aaguid: /^[0-]*$/.test(aaguid) ? null : aaguid,
      backupEligible: credentialDeviceType === 'multiDevice',
      backedUp: credentialBackedUp,
      userVerified,
    }
  } catch {
    return null
  }
}

/**
 * Drops the attestation statement. We request none, and verifying one would fetch revocation lists from URLs that the
 * client chose.
 */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await helpers()
  const authData = decodeAttestationObject(toBytes(attestationObject)).get('authData')
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ])
  return toText(isoCBOR.encode(bare as Parameters<typeof isoCBOR.encode>[0]))
}

/** Verifies a signature over the challenge; null if anything is invalid, including a decreasing counter. */
export async function verifyAssertion(
  config: Config,
  given: {
    credential: SignedCredential
    key: AuthenticatorKey
    challenge: string
    requireUserVerification: boolean
  },
): Promise<{ signCount: number; backedUp: boolean; userVerified: boolean } | null> {
  const { verifyAuthenticationResponse } = await library()
  const { id: expectedRPID, origins: expectedOrigin } = relyingParty(config)
  const { id, rawId, response } = given.credential
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: rawId ?? id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { ...response, userHandle: response.userHandle ?? undefined },
      },
      expectedChallenge: given.challenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: given.requireUserVerification,
      credential: { id: toText(given.key.id), publicKey: given.key.publicKey, counter: given.key.signCount },
    })
    if (!verified || id !== toText(given.key.id)) return null
    const { newCounter, credentialBackedUp, userVerified } = authenticationInfo
    return { signCount: newCounter, backedUp: credentialBackedUp, userVerified }
  } catch {
    return null
  }
}
