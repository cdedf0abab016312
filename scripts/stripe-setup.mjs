/** `npm run stripe:setup`: prepares the Stripe account of STRIPE_SECRET_KEY and prints the environment for it. */
import { ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: false })
runInstead(findRuntime(), ['scripts/stripe-setup.ts'])
