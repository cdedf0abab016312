import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import type { Tx } from '../tx.ts'
import type { Metadata, PortalConfiguration, PortalFeatures } from '../types.ts'

const reasons = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'customer_service',
  'too_complex',
  'low_quality',
  'other',
]

const noQuantity = { enabled: false, maximum: null, minimum: 1 }

/** All features on, including switching between these products. */
export function defaultFeatures(products: { product: string; prices: string[] }[]): PortalFeatures {
  return {
    customer_update: { allowed_updates: [], enabled: false },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true, payment_method_configuration: null },
    subscription_cancel: {
      cancellation_reason: { enabled: true, feedback_options: null, options: reasons },
      enabled: true,
      mode: 'at_period_end',
      proration_behavior: 'none',
    },
    subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
    subscription_update: {
      billing_cycle_anchor: 'unchanged',
      default_allowed_updates: ['price', 'promotion_code'],
      enabled: products.length > 0,
      products: products.map((each) => ({ ...each, adjustable_quantity: noQuantity })),
      proration_behavior: 'always_invoice',
      schedule_at_period_end: { conditions: [] },
      trial_update_behavior: 'continue_trial',
    },
  }
}

/** The default: all features off. */
export const noFeatures = (): PortalFeatures => {
  const off = defaultFeatures([])
  return {
    ...off,
    invoice_history: { enabled: false },
    payment_method_update: { enabled: false, payment_method_configuration: null },
    subscription_cancel: {
      ...off.subscription_cancel,
      cancellation_reason: { enabled: false, feedback_options: null, options: [] },
      enabled: false,
    },
    subscription_update: {
      ...off.subscription_update,
      default_allowed_updates: [],
      enabled: false,
      proration_behavior: 'none',
    },
  }
}

export type ConfigurationInput = {
  id?: string
  features: PortalFeatures
  isDefault: boolean
  returnUrl: string | null
  metadata?: Metadata
  name?: string | null
  profile?: Partial<PortalConfiguration['business_profile']>
}

/** Creates a portal configuration: features and return URL. */
export function buildConfiguration(tx: Tx, input: ConfigurationInput): PortalConfiguration {
  return build<PortalConfiguration>('billing_portal.configuration', {
    id: input.id ?? newId('bpc'),
    active: true,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null, ...input.profile },
    created: tx.at,
    default_return_url: input.returnUrl,
    features: input.features,
    is_default: input.isDefault,
    metadata: input.metadata ?? {},
    name: input.name ?? null,
    updated: tx.at,
  })
}
