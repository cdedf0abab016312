import { z } from 'zod'
import type { FeatureDeps } from '#server/feature.ts'
import { rejectUnstorableText } from '#server/http/read-json.ts'
import { RequestError, sendRequest } from '#server/http/send-request.ts'
import { OAuthError } from './oauth-error.ts'
import { isRedirectUri } from './redirect-uri.ts'

export const grantTypes = ['authorization_code', 'refresh_token'] as const
export const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const

/** Control and formatting characters could make a name look like another one. */
const cleanName = (name: string) =>
  name
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)

const webAddress = z
  .string()
  .max(2_000)
  .refine((given) => ['http:', 'https:'].includes(URL.parse(given)?.protocol ?? ''), 'must be a web address')
  .nullish()

/** What a client says about itself (RFC 7591). Other fields are ignored. */
export const clientMetadata = z.object({
  client_name: z.string().max(1_024, 'client_name is too long').transform(cleanName).nullish(),
  client_uri: webAddress,
  logo_uri: webAddress,
  redirect_uris: z
    .array(z.string().refine(isRedirectUri, 'invalid redirect_uri'), 'redirect_uris is required')
    .min(1, 'redirect_uris is required')
    .max(10, 'redirect_uris cannot exceed 10 items'),
  grant_types: z.array(z.enum(grantTypes)).min(1).max(5).nullish(),
  response_types: z.array(z.literal('code')).min(1).max(5).nullish(),
  token_endpoint_auth_method: z.enum(authMethods).nullish(),
})
export type ClientMetadata = z.output<typeof clientMetadata>

/**
 * Parses what a client says about itself. Grants that we don't have are left out, as RFC 7591 allows.
 * @throws OAuthError invalid_redirect_uri, invalid_client_metadata; AppError validation_failed
 */
export function parseClientMetadata(given: unknown): ClientMetadata {
  const known = new Set<unknown>(grantTypes)
  const body =
    typeof given === 'object' && given !== null && 'grant_types' in given && Array.isArray(given.grant_types)
      ? { ...given, grant_types: given.grant_types.filter((grant) => known.has(grant)) }
      : given
  const parsed = clientMetadata.safeParse(body)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = String(issue?.path[0] ?? 'metadata')
    const error = field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw new OAuthError(error, `${field}: ${issue?.message}`)
  }
  rejectUnstorableText(parsed.data)
  return parsed.data
}

const maxUrlLength = 500
const maxDocumentBytes = 10_000
const documentTimeoutMs = 5_000

/** Returns true if a client's id is the address of its metadata document. */
export function isMetadataUrl(clientId: string): boolean {
  const url = URL.parse(clientId)
  if (url?.protocol !== 'https:' || clientId.length > maxUrlLength || url.href !== clientId) return false
  return url.pathname !== '/' && !url.hash && !url.username && !url.password && !url.port
}

/** Reads a client ID metadata document. Redirects aren't followed, and it must name its own address. */
export async function fetchClientDocument({ fetchText }: Pick<FeatureDeps, 'fetchText'>, address: string) {
  const text = await (fetchText ?? download)(address)
  const given = parseJson(text)
  if (typeof given !== 'object' || given === null || !('client_id' in given) || given.client_id !== address) {
    throw new OAuthError('invalid_client', 'The client metadata document doesn’t name its own address as client_id')
  }
  const metadata = parseClientMetadata({ token_endpoint_auth_method: 'none', ...given })
  if (metadata.token_endpoint_auth_method !== 'none') {
    throw new OAuthError('invalid_client_metadata', 'A client with a metadata document can’t have a secret')
  }
  return metadata
}

async function download(address: string): Promise<string> {
  const headers = { Accept: 'application/json' }
  try {
    const answer = await sendRequest(address, { headers, timeoutMs: documentTimeoutMs, maxBytes: maxDocumentBytes })
    if (answer.status === 200) return answer.body.toString('utf8')
    throw new OAuthError('invalid_client', `The client metadata document was answered with ${answer.status}`)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    throw new OAuthError('invalid_client', `The client metadata document can’t be read: ${error.failure}`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new OAuthError('invalid_client', 'The client metadata document isn’t JSON')
  }
}
