import { Hono } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import type { AuthDeps } from './auth-deps.ts'
import { ProtocolError } from './protocol-error.ts'

const refuse = (code: ErrorCode, message?: string) => (): never => {
  throw new AppError(code, { message })
}

/**
 * What the protocol has and we do not offer, each with the refusal that a client knows. Operators work on the admin
 * pages; there is no key that opens everybody's account over the wire.
 */
export const disabledRoutes = (deps: AuthDeps) =>
  new Hono<AppEnv>()
    .get('/authorize', (c) => {
      const provider = c.req.query('provider') ?? ''
      throw new AppError('validation_failed', {
        message: /^[a-z_]{1,30}$/.test(provider)
          ? 'Unsupported provider: provider is not enabled'
          : 'Unsupported provider: Provider could not be found',
      })
    })
    .get('/callback', refuse('provider_disabled'))
    .post('/callback', refuse('provider_disabled'))
    .post('/sso', refuse('saml_provider_disabled'))
    .get('/reauthenticate', refuse('feature_disabled', 'Reauthentication is not needed here'))
    .get('/user/identities/authorize', refuse('manual_linking_disabled'))
    .delete('/user/identities/:id', refuse('manual_linking_disabled'))
    .all('/passkeys', refuse('passkey_disabled'))
    .all('/passkeys/*', refuse('passkey_disabled'))
    .all('/oauth/*', refuse('feature_disabled', 'OAuth server is disabled'))
    .all('/user/oauth/*', refuse('feature_disabled', 'OAuth server is disabled'))
    .all('/admin/oauth/*', refuse('feature_disabled', 'OAuth server is disabled'))
    .all('/admin/custom-providers/*', refuse('feature_disabled'))
    .all('/admin/sso/*', refuse('feature_disabled'))
    .all('/admin/*', requireNobody(deps))
    .post('/invite', requireNobody(deps))

/** With no operator's key in existence every bearer is either not one of ours or a user's. */
function requireNobody(deps: AuthDeps) {
  return async (c: { req: { header(name: 'authorization'): string | undefined } }): Promise<never> => {
    await deps.readPrincipal(c.req.header('authorization'))
    throw new ProtocolError('not_admin')
  }
}
