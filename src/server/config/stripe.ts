import { z } from 'zod'
import { list, portNumber } from './env-schemas.ts'

/** Plans of a new database, whose ids at Stripe can come from the environment. */
const planKeys = ['pro_monthly', 'pro_yearly', 'team_monthly'] as const
type PlanKey = (typeof planKeys)[number]

/** Used until the table `plan` has the ids. */
type StripeIds = Record<PlanKey, { productId: string; priceId: string }>

export type StripeConfig =
  | {
      kind: 'live'
      secretKey: string
      webhookSecrets: string[]
      ids: StripeIds
      /** Customer portal configuration; the account's default without it. */
      portalConfiguration?: string
    }
  | { kind: 'sandbox'; port: number; dataFile: string; secretKey: string; webhookSecrets: string[]; ids: StripeIds }

/** The Stripe sandbox accepts any key that starts with sk_test_. */
export const sandboxSecretKey = 'sk_test_front_counter_sandbox'

/** Fixed ids, so that links stay valid when the sandbox's data is deleted. */
const sandboxIds = idsOf((key) => ({ productId: `prod_${key}`, priceId: `price_${key}` }))

type IdVariable = `STRIPE_${'PRODUCT' | 'PRICE'}_${Uppercase<PlanKey>}`

const idVariables = (key: PlanKey) => {
  const plan = key.toUpperCase() as Uppercase<PlanKey>
  return { product: `STRIPE_PRODUCT_${plan}`, price: `STRIPE_PRICE_${plan}` } as const
}

export const stripeVariables = {
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: list.optional(),
  STRIPE_SANDBOX_PORT: portNumber.optional(),
  STRIPE_PORTAL_CONFIGURATION: z.string().startsWith('bpc_').optional(),
  ...(Object.fromEntries(
    planKeys.flatMap((key) => [
      [idVariables(key).product, z.string().startsWith('prod_').optional()],
      [idVariables(key).price, z.string().startsWith('price_').optional()],
    ]),
  ) as Record<IdVariable, z.ZodOptional<z.ZodString>>),
}

const variables = z.object(stripeVariables)
type Values = z.infer<typeof variables>

export const stripeSandboxPort = (values: Values, serverPort: number): number =>
  values.STRIPE_SANDBOX_PORT ?? serverPort + 1

export function stripeConfig(values: Values, server: { port: number; dataDirectory: string }): StripeConfig {
  if (!values.STRIPE_SECRET_KEY) {
    return {
      kind: 'sandbox',
      port: stripeSandboxPort(values, server.port),
      dataFile: `${server.dataDirectory}/stripe-sandbox.sqlite`,
      secretKey: sandboxSecretKey,
      webhookSecrets: ['whsec_front_counter_sandbox'],
      ids: sandboxIds,
    }
  }
  return {
    kind: 'live',
    secretKey: values.STRIPE_SECRET_KEY,
    webhookSecrets: values.STRIPE_WEBHOOK_SECRET ?? [],
    ids: idsOf((key) => {
      const { product, price } = idVariables(key)
      return { productId: values[product] ?? '', priceId: values[price] ?? '' }
    }),
    portalConfiguration: values.STRIPE_PORTAL_CONFIGURATION,
  }
}

type StripeObject = { customer: string; subscription?: string; invoice?: string }

/** The page of an invoice, subscription or customer in Stripe's dashboard, or of the customer in the Stripe sandbox. */
export function stripeDashboardUrl(config: StripeConfig, at: StripeObject): string {
  if (config.kind === 'sandbox') return `http://localhost:${config.port}/sandbox/customers/${at.customer}`
  const mode = /^(sk|rk)_test_/.test(config.secretKey) ? 'test/' : ''
  const path = at.invoice
    ? `invoices/${at.invoice}`
    : at.subscription
      ? `subscriptions/${at.subscription}`
      : `customers/${at.customer}`
  return `https://dashboard.stripe.com/${mode}${path}`
}

export function stripeConfigErrors(values: Values): string[] {
  const problems: string[] = []
  if (!values.STRIPE_WEBHOOK_SECRET?.length) problems.push('STRIPE_WEBHOOK_SECRET: missing')
  for (const secret of values.STRIPE_WEBHOOK_SECRET ?? []) {
    if (secret.includes('sandbox')) problems.push('STRIPE_WEBHOOK_SECRET: is the sandbox’s secret')
    else if (!secret.startsWith('whsec_')) problems.push('STRIPE_WEBHOOK_SECRET: must start with whsec_')
  }
  for (const { product, price } of planKeys.map(idVariables)) {
    if (values[product] && !values[price]) problems.push(`${price}: missing`)
    if (values[price] && !values[product]) problems.push(`${product}: missing`)
  }
  return problems
}

function idsOf(of: (key: PlanKey) => StripeIds[PlanKey]): StripeIds {
  return Object.fromEntries(planKeys.map((key) => [key, of(key)])) as StripeIds
}
