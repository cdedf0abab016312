import Stripe from 'stripe'
import { z } from 'zod'
import { createStripe } from '#server/features/billing/subscriptions/stripe/stripe-overview.ts'
import { setUpStripe } from '#server/features/billing/subscriptions/stripe/stripe-setup.ts'
import { sandboxSecretKey } from './config/stripe.ts'

const environment = z.object({
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_/, 'must be a Stripe secret key')
    .optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PORT: z.coerce.number().int().min(1).max(65_534).default(3000),
  STRIPE_SANDBOX_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
})

type Result = { lines: string[]; succeeded: boolean }
const failure = (...lines: string[]): Result => ({ lines, succeeded: false })

/**
 * `npm run stripe:setup`: sets up the Stripe account of STRIPE_SECRET_KEY and prints its environment variables. Without a
 * key, or with STRIPE_SANDBOX_PORT, sets up a local server's sandbox. Skips the full config, which isn't complete yet.
 */
export async function runStripeSetup(env: Record<string, string | undefined>): Promise<Result> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    return failure(...parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`))
  }
  const { STRIPE_SECRET_KEY: key, PORT: port, STRIPE_SANDBOX_PORT: sandboxPort } = parsed.data
  const sandbox = !key || sandboxPort !== undefined
  const live = key !== undefined && /^(sk|rk)_live_/.test(key)
  if (sandbox && live) return failure('STRIPE_SANDBOX_PORT: must not be set with a live key')
  const publicUrl = parsed.data.PUBLIC_URL?.replace(/\/+$/, '') ?? (sandbox ? `http://localhost:${port}` : undefined)
  if (!publicUrl) return failure('PUBLIC_URL: missing (Stripe sends webhooks there)')
  if (live && !publicUrl.startsWith('https://')) return failure('PUBLIC_URL: must be an https address')

  const stripe = createStripe({
    ...(sandbox ? { kind: 'sandbox', port: sandboxPort ?? port + 1, dataFile: '' } : { kind: 'live' }),
    secretKey: key ?? sandboxSecretKey,
    webhookSecrets: [],
    ids: { pro_monthly: none, pro_yearly: none, team_monthly: none },
  })
  try {
    const webhookUrl = sandbox ? `http://127.0.0.1:${port}/webhooks/stripe` : undefined
    const { environment: lines, changes, notes } = await setUpStripe(stripe, { publicUrl, webhookUrl })
    const summary =
      changes.length > 0
        ? ['# Created or changed:', ...changes.map((change) => `#   ${change}`)]
        : ['# Nothing to change.']
    return { lines: [...summary, ...notes.map((note) => `# ${note}`), '', ...lines], succeeded: true }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    return failure(describeStripeError(error, sandbox))
  }
}

const none = { productId: '', priceId: '' }

/** Leaves out Stripe's message, which can contain part of the key. */
export function describeStripeError(error: InstanceType<typeof Stripe.errors.StripeError>, sandbox: boolean): string {
  if (error instanceof Stripe.errors.StripeConnectionError) {
    return sandbox ? 'The Stripe sandbox isn’t running. Start the server first.' : 'Stripe can’t be reached.'
  }
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return 'STRIPE_SECRET_KEY: Stripe doesn’t accept this key'
  if (error instanceof Stripe.errors.StripePermissionError)
    return 'STRIPE_SECRET_KEY: this key doesn’t have the required permissions'
  return `Stripe rejected the request${error.param ? ` ${error.param}` : ''}: ${error.code ?? error.type} (request ${error.requestId})`
}
