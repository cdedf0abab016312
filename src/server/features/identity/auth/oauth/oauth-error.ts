import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { handleAuthError } from '../handle-auth-error.ts'

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unauthorized_client'
  | 'access_denied'

/** An error in the form of OAuth (RFC 6749 §5.2). The description is for developers. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode
  constructor(error: OAuthErrorCode, description: string) {
    super(description)
    this.error = error
  }
}

export function answerOAuthError(error: unknown, c: Context<AppEnv>): Response {
  const known =
    error instanceof AppError && error.status === 400 ? new OAuthError('invalid_request', error.message) : error
  if (!(known instanceof OAuthError)) return handleAuthError(error, c)
  c.header('Cache-Control', 'no-store')
  const status: ContentfulStatusCode = known.error === 'invalid_client' ? 401 : 400
  if (status === 401) c.header('WWW-Authenticate', 'Basic realm="oauth"')
  return c.json({ error: known.error, error_description: known.message }, status)
}
