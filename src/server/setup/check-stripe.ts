import Stripe from 'stripe'
import { isLiveKey } from '#server/features/billing/subscriptions/stripe/stripe-overview.ts'
import { setUpStripe } from '#server/features/billing/subscriptions/stripe/stripe-setup.ts'
import { describeStripeError } from '#server/set-up-stripe.ts'
import type { Variables } from './environment-file.ts'
import { type Finding, failed, ok, type SetupSystem, todo } from './setup-system.ts'

type Accounts = Pick<SetupSystem, 'openStripe'>

/** Asks Stripe whether it accepts the key. Creates nothing. */
export async function checkStripeKey({ openStripe }: Accounts, key: string): Promise<Finding[]> {
  try {
    await openStripe(key).prices.list({ limit: 1 })
  } catch (error) {
    return [asFinding(error)]
  }
  if (isLiveKey(key)) return [ok('Stripe', 'The key is accepted.')]
  return [
    todo(
      'Stripe',
      'This is a test key, and production starts only with a live one. Run setup again with --stripe-key sk_live_….',
    ),
  ]
}

/**
 * Compares prices and webhook endpoint of the environment file with Stripe. Creates nothing. Plans that were made in the
 * admin are in the database, and the server checks those.
 */
export async function checkStripePlans({ openStripe }: Accounts, values: Variables): Promise<Finding[]> {
  const stripe = openStripe(values.STRIPE_SECRET_KEY ?? '')
  try {
    const findings: Finding[] = []
    for (const [name, id] of Object.entries(values).filter(([name]) => name.startsWith('STRIPE_PRICE_'))) {
      const price = id ? await stripe.prices.retrieve(id).catch(nullIfMissing) : null
      if (!price?.active) findings.push(failed('Stripe', `${name} isn’t an active price. Run setup again.`))
    }
    const url = `${values.PUBLIC_URL}/webhooks/stripe`
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 })
    if (!data.some((endpoint) => endpoint.url === url && endpoint.status === 'enabled')) {
      findings.push(failed('Stripe', `No webhook endpoint sends to ${url}. Run setup again.`))
    }
    return findings.length > 0 ? findings : [ok('Stripe', 'Plans and webhook endpoint are in place.')]
  } catch (error) {
    return [asFinding(error)]
  }
}

/**
 * Creates or finds plans, customer portal and webhook endpoint.
 * @returns the variables to write, and what happened
 */
export async function prepareStripe(
  { openStripe }: Accounts,
  values: Variables,
): Promise<{ variables: Variables; findings: Finding[] }> {
  const key = values.STRIPE_SECRET_KEY ?? ''
  try {
    const { environment, changes } = await setUpStripe(openStripe(key), { publicUrl: values.PUBLIC_URL ?? '' })
    const variables = Object.fromEntries(environment.map((line) => splitOnce(line)))
    const findings = [ok('Stripe', changes.length > 0 ? `Created ${changes.join(', ')}.` : 'Nothing to change.')]
    if (!(variables.STRIPE_WEBHOOK_SECRET || values.STRIPE_WEBHOOK_SECRET)) {
      findings.push(
        failed(
          'Stripe',
          'The webhook endpoint exists, and Stripe shows its secret only in the Dashboard. Copy it to STRIPE_WEBHOOK_SECRET in the environment file and run setup again.',
        ),
      )
    }
    return { variables, findings }
  } catch (error) {
    return { variables: {}, findings: [asFinding(error)] }
  }
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf('=')
  return [line.slice(0, at), line.slice(at + 1)]
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return null
  throw error
}

function asFinding(error: unknown): Finding {
  if (error instanceof Stripe.errors.StripeError)
    return failed('Stripe', `${describeStripeError(error, false)}.`.replace('..', '.'))
  throw error
}
