import { Hono } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'

const refuse = (code: ErrorCode) => (): never => {
  throw new AppError(code)
}

/** Endpoints of the protocol that are turned off, with the errors that clients expect. */
export const disabledRoutes = () =>
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
    .get('/user/identities/authorize', refuse('manual_linking_disabled'))
    .delete('/user/identities/:id', refuse('manual_linking_disabled'))
    .all('/admin/custom-providers', refuse('feature_disabled'))
    .all('/admin/custom-providers/*', refuse('feature_disabled'))
    .all('/admin/sso/*', refuse('feature_disabled'))
