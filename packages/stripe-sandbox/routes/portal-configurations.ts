import { invalid, unsupported } from '../http/errors.ts'
import { field, listRoute, requires } from '../http/find-objects.ts'
import { refuseUnsupported, route } from '../http/route.ts'
import { clearedBy, type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { buildConfiguration, noFeatures } from '../objects/portal-configurations.ts'
import { change, create, type Tx } from '../tx.ts'
import type { Json, JsonObject, PortalConfiguration, PortalFeatures } from '../types.ts'
import { requireUrl } from './checkout-params.ts'
import { requirePrice } from './prices.ts'
import { requireProduct } from './products.ts'

type FeatureParams = { [feature: string]: JsonObject | undefined }
type ConfigurationParams = {
  active?: boolean
  business_profile?: { headline?: string; privacy_policy_url?: string; terms_of_service_url?: string }
  default_return_url?: string
  features?: FeatureParams
  metadata?: MetadataParam
  name?: string
}

/** URLs can be cleared. Otherwise they must be http or https. */
const requireAddress = (address: string | undefined, param: string): void => {
  if (address) requireUrl(address, param)
}

/** @throws ApiError 400 for an invalid URL */
function readProfile(
  given: ConfigurationParams['business_profile'] = {},
): Partial<PortalConfiguration['business_profile']> {
  for (const name of ['privacy_policy_url', 'terms_of_service_url'] as const) {
    requireAddress(given[name], `business_profile[${name}]`)
  }
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value === '' ? null : value]))
}

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges the given values; an empty string clears a list. */
function overlay(base: JsonObject, given: JsonObject): JsonObject {
  const result: JsonObject = { ...base }
  for (const [key, value] of Object.entries(given)) {
    const known = base[key]
    if (isMap(known) && isMap(value)) result[key] = overlay(known, value)
    else if (Array.isArray(known) && value === '') result[key] = []
    else result[key] = value
  }
  return result
}

/** Supported parameters by feature. All others are rejected. */
const supported: { [feature: string]: string[] } = {
  customer_update: ['allowed_updates', 'enabled'],
  invoice_history: ['enabled'],
  payment_method_update: ['enabled'],
  subscription_cancel: ['cancellation_reason', 'enabled', 'mode', 'proration_behavior'],
  subscription_pause: ['enabled'],
  subscription_update: ['default_allowed_updates', 'enabled', 'products', 'proration_behavior'],
}

function refuseIgnored(given: FeatureParams): void {
  refuseUnsupported(given as JsonObject, new Set(Object.keys(supported)), 'features')
  for (const [feature, wishes] of Object.entries(given)) {
    refuseUnsupported(wishes, new Set(supported[feature]), `features[${feature}]`)
  }
  const cancel = given.subscription_cancel
  const reasons = cancel?.cancellation_reason as JsonObject | undefined
  const path = 'features[subscription_cancel]'
  refuseUnsupported(reasons, new Set(['enabled', 'options']), `${path}[cancellation_reason]`)
  const proration = cancel?.proration_behavior ?? 'none'
  if (proration !== 'none') throw unsupported(`${path}[proration_behavior]=${String(proration)}`)
}

type ProductParam = { product: string; prices: string[]; adjustable_quantity?: JsonObject }

function mergeFeatures(tx: Tx, base: PortalFeatures, given: FeatureParams | undefined): PortalFeatures {
  refuseIgnored(given ?? {})
  if (given?.subscription_pause?.enabled === true)
    throw invalid('This sandbox cannot pause subscriptions in the portal.', 'features[subscription_pause]')
  if (given?.customer_update?.enabled === true)
    throw invalid('This sandbox does not support customer updates in the portal.', 'features[customer_update]')
  const merged = overlay(base as unknown as JsonObject, (given ?? {}) as JsonObject) as unknown as PortalFeatures
  const products = given?.subscription_update?.products
  if (Array.isArray(products)) {
    merged.subscription_update.products = (products as ProductParam[]).map((each, index) => {
      const param = `features[subscription_update][products][${index}]`
      requireProduct(tx, each.product, `${param}[product]`)
      for (const price of each.prices) requirePrice(tx, price, `${param}[prices]`)
      return {
        adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
        prices: each.prices,
        product: each.product,
      }
    })
  }
  return merged
}

const requireConfiguration = requires<PortalConfiguration>('billing_portal.configuration', 'configuration')

function update(tx: Tx, configuration: PortalConfiguration, params: ConfigurationParams): PortalConfiguration {
  if (params.active === false && configuration.is_default)
    throw invalid('The default configuration cannot be deactivated.', 'active')
  requireAddress(params.default_return_url, 'default_return_url')
  const profile = readProfile(params.business_profile)
  return change(tx, 'billing_portal.configuration.updated', configuration, {
    ...configuration,
    active: params.active ?? configuration.active,
    business_profile: { ...configuration.business_profile, ...profile },
    default_return_url: clearedBy(params.default_return_url, configuration.default_return_url),
    features: mergeFeatures(tx, configuration.features, params.features),
    metadata: mergeMetadata((configuration.metadata ?? {}) as Record<string, string>, params.metadata),
    name: clearedBy(params.name, (configuration.name as string | null) ?? null),
    updated: tx.at,
  })
}

const base = '/v1/billing_portal/configurations'
const supports = 'business_profile default_return_url features metadata name'

export const portalConfigurationRoutes = [
  route<ConfigurationParams>('POST', base, 'post_billing_portal_configurations', supports, ({ tx, params }) => {
    requireAddress(params.default_return_url, 'default_return_url')
    return create(
      tx,
      'billing_portal.configuration.created',
      buildConfiguration(tx, {
        features: mergeFeatures(tx, noFeatures(), params.features),
        isDefault: false,
        metadata: mergeMetadata({}, params.metadata),
        name: clearedBy(params.name, null),
        profile: readProfile(params.business_profile),
        returnUrl: clearedBy(params.default_return_url, null),
      }),
    )
  }),
  route<ConfigurationParams>(
    'POST',
    `${base}/:id`,
    'post_billing_portal_configurations_id',
    `${supports} active`,
    ({ tx, params, id }) => update(tx, requireConfiguration(tx, id), params),
  ),
  route('GET', `${base}/:id`, 'retrieve', '', ({ tx, id }) => requireConfiguration(tx, id)),
  listRoute(base, 'get_billing_portal_configurations', 'billing_portal.configuration', {
    filters: { active: field('active'), is_default: field('is_default') },
  }),
]
