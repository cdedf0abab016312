import { runStripeSetup } from '../src/server/set-up-stripe.ts'

const { lines, succeeded } = await runStripeSetup(process.env)
for (const line of lines) (succeeded ? console.log : console.error)(line)
process.exit(succeeded ? 0 : 1)
