import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import { words } from '#shared/domain/words.ts'
import type { AuthDeps } from './auth-deps.ts'
import { keyRing } from './keys/signing-keys.ts'

/** External providers that clients look for in the settings. All are off. */
const disabledProviders = words(`
  apple azure bitbucket discord facebook figma fly github gitlab google kakao keycloak linkedin linkedin_oidc
  notion phone slack slack_oidc snapchat spotify twitch twitter workos x zoom
`)

/** Public settings, health and signing keys. */
export const settingsRoutes = (deps: AuthDeps) =>
  new Hono<AppEnv>()
    .get('/settings', (c) =>
      c.json({
        external: {
          ...Object.fromEntries(disabledProviders.map((name) => [name, false])),
          anonymous_users: deps.config.auth.anonymousSignIn,
          email: true,
        },
        disable_signup: !deps.config.auth.signUpEnabled,
        mailer_autoconfirm: deps.config.auth.emailConfirmation !== 'first',
        phone_autoconfirm: false,
        sms_provider: '',
        saml_enabled: false,
        passkeys_enabled: true,
      }),
    )
    .get('/health', (c) =>
      c.json({
        version: '1.0.0',
        name: `${deps.config.settings.publication.name} accounts`,
        description: 'Accounts, sessions, and second factors',
      }),
    )
    .get('/.well-known/jwks.json', serveJwks(deps))

/** Public signing keys, so that clients can verify access tokens locally. */
export const serveJwks = (deps: AuthDeps) => async (c: Context<AppEnv>) => {
  c.header('Cache-Control', 'public, max-age=600')
  return c.json({ keys: await keyRing(deps).publicKeys() })
}
