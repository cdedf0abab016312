import { taxPercent } from '../billing/taxes.ts'
import { missing } from '../http/errors.ts'
import { route } from '../http/route.ts'

/** The rate of the sandbox's only tax. Prices say whether it is included. */
export const taxRateRoutes = [
  route('GET', '/v1/tax/settings', 'retrieve', '', () => ({
    object: 'tax.settings',
    defaults: { provider: 'stripe', tax_behavior: null, tax_code: null },
    head_office: null,
    livemode: false,
    status: 'active',
    status_details: { active: {} },
  })),
  route('GET', '/v1/tax_rates/:id', 'retrieve', '', ({ tx, id }) => {
    if (id !== 'txr_sandbox') throw missing('tax rate', id)
    return {
      id,
      object: 'tax_rate',
      active: false,
      country: 'US',
      created: tx.at,
      description: null,
      display_name: 'Sandbox tax',
      effective_percentage: taxPercent,
      flat_amount: null,
      inclusive: false,
      jurisdiction: null,
      jurisdiction_level: null,
      livemode: false,
      metadata: {},
      percentage: taxPercent,
      rate_type: 'percentage',
      state: null,
      tax_type: 'vat',
    }
  }),
]
