import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '#server/db/database.ts'
import { oauthTokenFamilies } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'

type TokenDeps = Pick<Deps, 'config' | 'clock' | 'secrets'>

const accessPurpose = 'connection-access'

/** The address that tokens of a connection open: our MCP server. */
export const mcpResource = (publicUrl: string) => `${publicUrl}/mcp`

/** The stored form of codes, refresh tokens and client secrets. A plain hash is enough for 256 random bits. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

export const newSecret = () => randomBytes(32).toString('base64url')

/** Names its family, so that an earlier token is recognized although only the hash of the current one is stored. */
export const newRefreshToken = (familyId: string) => `fcr_${familyId}.${newSecret()}`

/** The family that a refresh token names. The token may be an earlier one, or made up. */
export const familyOfRefreshToken = (token: string): string | null => /^fcr_([\da-f-]{36})\./.exec(token)?.[1] ?? null

/** A signed name of a family with an end. Whether the family and its connection still exist is read at every use. */
export function signConnectionToken({ config, clock, secrets }: TokenDeps, familyId: string) {
  const expiresIn = config.auth.accessTokenSeconds
  const body = `${familyId}.${Math.floor(clock().getTime() / 1000) + expiresIn}`
  return { token: `fca_${body}.${secrets.sign(accessPurpose, body)}`, expiresIn }
}

/** @returns the family of a signed access token that hasn't expired */
export function familyOfAccessToken({ clock, secrets }: Omit<TokenDeps, 'config'>, token: string): string | null {
  const [, body = '', familyId = '', end, signature = ''] =
    /^fca_(([\da-f-]{36})\.(\d{1,12}))\.([\w-]{43})$/.exec(token) ?? []
  if (!end || !secrets.verify(accessPurpose, body, signature)) return null
  return Number(end) * 1000 > clock().getTime() ? familyId : null
}

/** The first tokens of a connection, from its code. */
export async function startTokenFamily(
  tx: Tx,
  deps: TokenDeps,
  { consentId, resource, codeHash }: { consentId: string; resource: string; codeHash: string },
) {
  const id = crypto.randomUUID()
  const refreshToken = newRefreshToken(id)
  const now = deps.clock()
  const refreshTokenHash = hashToken(refreshToken)
  const times = { createdAt: now, refreshedAt: now }
  await tx.insert(oauthTokenFamilies).values({ id, consentId, resource, codeHash, refreshTokenHash, ...times })
  return { ...signConnectionToken(deps, id), refreshToken }
}
