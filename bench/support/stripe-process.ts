/** The Stripe sandbox in its own process, so that its CPU time and memory aren't counted as ours. */
import { startStripeSandbox } from '@front-counter/stripe-sandbox'
import { planKeys, plans } from '#tests/support/default-plans.ts'
import { benchConfig } from './billing-deps.ts'

const { ids } = benchConfig(0).stripe
await startStripeSandbox({
  dataFile: ':memory:',
  port: Number(process.env.PORT),
  seed: {
    products: planKeys.map((key) => ({ id: ids[key].productId, name: plans[key].name })),
    prices: planKeys.map((key) => ({
      id: ids[key].priceId,
      product: ids[key].productId,
      unitAmount: plans[key].priceCents,
      interval: plans[key].interval,
      lookupKey: key,
    })),
  },
})
