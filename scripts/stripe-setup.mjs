/** `npm run stripe:setup`: sets up the Stripe account of STRIPE_SECRET_KEY and prints its environment variables. */
import { ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: false })
runInstead(findRuntime(), ['scripts/stripe-setup.ts'])
