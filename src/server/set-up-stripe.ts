import Stripe from 'stripe'
import { z } from 'zod'
import { sandboxSecretKey } from './config/stripe.ts'
import { createStripe } from './features/billing/stripe-client.ts'
import { setUpStripe } from './features/billing/stripe-setup.ts'

const environment = z.object({
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_/, 'must be a secret key of Stripe')
    .optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PORT: z.coerce.number().int().min(1).max(65_534).default(3000),
  STRIPE_SANDBOX_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
})

type Answer = { lines: string[]; succeeded: boolean }
const refusal = (...lines: string[]): Answer => ({ lines, succeeded: false })

/**
 * `npm run stripe:setup`: prepares the account of STRIPE_SECRET_KEY and prints the environment that belongs to it. It
 * reads these few variables alone, because the others are what it is there to find out. Without a key, or with
 * STRIPE_SANDBOX_PORT, it works on the Stripe sandbox of a server that runs here.
 */
export async function runStripeSetup(env: Record<string, string | undefined>): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    return refusal(...parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`))
  }
  const { STRIPE_SECRET_KEY: key, PORT: port, STRIPE_SANDBOX_PORT: sandboxPort } = parsed.data
  const sandbox = !key || sandboxPort !== undefined
  const live = key !== undefined && /^(sk|rk)_live_/.test(key)
  if (sandbox && live) return refusal('STRIPE_SANDBOX_PORT: a live key never goes to the sandbox')
  const publicUrl = parsed.data.PUBLIC_URL?.replace(/\/+$/, '') ?? (sandbox ? `http://localhost:${port}` : undefined)
  if (!publicUrl) return refusal('PUBLIC_URL: missing; Stripe sends its news there')
  if (live && !publicUrl.startsWith('https://')) return refusal('PUBLIC_URL: must be an https address')

  const stripe = createStripe({
    ...(sandbox ? { kind: 'sandbox', port: sandboxPort ?? port + 1, dataFile: '' } : { kind: 'live' }),
    secretKey: key ?? sandboxSecretKey,
    webhookSecrets: [],
    ids: { pro_monthly: none, pro_yearly: none, team_monthly: none },
  })
  try {
    const webhookUrl = sandbox ? `http://127.0.0.1:${port}/webhooks/stripe` : undefined
    const { environment: lines, changes, notes } = await setUpStripe(stripe, { publicUrl, webhookUrl })
    const told = changes.length > 0 ? ['# Made:', ...changes.map((change) => `#   ${change}`)] : ['# All was there.']
    return { lines: [...told, ...notes.map((note) => `# ${note}`), '', ...lines], succeeded: true }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    return refusal(describe(error, sandbox))
  }
}

const none = { productId: '', priceId: '' }

/** Stripe's own sentence can repeat part of the key. */
function describe(error: InstanceType<typeof Stripe.errors.StripeError>, sandbox: boolean): string {
  if (error instanceof Stripe.errors.StripeConnectionError) {
    return sandbox ? 'The Stripe sandbox does not answer: start the server first.' : 'Stripe does not answer.'
  }
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return 'STRIPE_SECRET_KEY: Stripe does not know this key'
  if (error instanceof Stripe.errors.StripePermissionError) return 'STRIPE_SECRET_KEY: this key may not do that'
  return `Stripe refused${error.param ? ` ${error.param}` : ''}: ${error.code ?? error.type} (request ${error.requestId})`
}
