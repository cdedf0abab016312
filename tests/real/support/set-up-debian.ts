/** `npm run setup` without the internet: DNS, Stripe and the time are stand-ins, everything else is real. */
import Stripe from 'stripe'
import { openSetupSystem } from '#server/setup/open-setup-system.ts'
import { runSetup } from '#server/setup/run-setup.ts'
import { renamed } from '#tests/support/renamed-http-client.ts'

const at = { host: '127.0.0.1', port: Number(process.env.STRIPE_STAND_IN_PORT), protocol: 'http' } as const
const httpClient = renamed('https://news.example.com', 'http://127.0.0.1:9')
const { system, close } = openSetupSystem()
const standIns = {
  dns: { resolve4: async () => ['203.0.113.5'], resolve6: async () => [], resolveTxt: async () => [] },
  addresses: () => ['203.0.113.5'],
  openStripe: () => new Stripe('sk_test_stand_in', { ...at, maxNetworkRetries: 0, httpClient }),
  timeUrl: `http://${at.host}:${at.port}/`,
}
const { succeeded } = await runSetup({ ...system, ...standIns }, process.argv.slice(2), process.env)
close()
process.exit(succeeded ? 0 : 1)
