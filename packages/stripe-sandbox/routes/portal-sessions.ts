import { invalid, missing, unsupported } from '../http/errors.ts'
import { refuseUnsupported, route } from '../http/route.ts'
import { requireCustomer } from '../objects/customers.ts'
import { createPortalSession } from '../objects/portal-sessions.ts'
import { ended } from '../objects/subscription-status.ts'
import type { Tx } from '../tx.ts'
import type { PortalConfiguration, PortalFlow, Subscription } from '../types.ts'
import { requireUrl } from './checkout-params.ts'
import { requirePrice } from './prices.ts'
import { requireSubscription } from './update-subscription.ts'

type FlowParams = {
  type: string
  after_completion?: {
    type: 'hosted_confirmation' | 'portal_homepage' | 'redirect'
    hosted_confirmation?: { custom_message?: string }
    redirect?: { return_url: string }
  }
  subscription_cancel?: { subscription: string; retention?: unknown }
  subscription_update?: { subscription: string }
  subscription_update_confirm?: {
    subscription: string
    items: { id: string; price?: string; quantity?: number }[]
    discounts?: unknown
  }
}

type SessionParams = {
  customer?: string
  configuration?: string
  return_url?: string
  flow_data?: FlowParams
  locale?: string
}

function configurationFor(tx: Tx, id: string | undefined): PortalConfiguration {
  if (id !== undefined) {
    const named = tx.store.find<PortalConfiguration>('billing_portal.configuration', id)
    if (!named?.active) throw missing('configuration', id, 'configuration')
    return named
  }
  const standard = tx.store
    .select<PortalConfiguration>('billing_portal.configuration')
    .find((each) => each.is_default && each.active)
  if (standard) return standard
  throw invalid(
    'No configuration provided and your test mode default configuration has not been created. ' +
      'Provide a configuration or create your default.',
    'configuration',
  )
}

function requireRunning(tx: Tx, id: string, customer: string, param: string): Subscription {
  const subscription = requireSubscription(tx, id, param)
  if (subscription.customer !== customer) throw missing('subscription', id, param)
  if (ended(subscription))
    throw invalid(`The subscription ${id} is ${subscription.status} and cannot be changed.`, param)
  return subscription
}

function confirmFlow(
  tx: Tx,
  given: FlowParams,
  customer: string,
  configuration: PortalConfiguration,
): PortalFlow['subscription_update_confirm'] {
  const wanted = given.subscription_update_confirm
  const param = 'flow_data[subscription_update_confirm]'
  if (!wanted) throw invalid(`Missing required param: ${param}.`, param, 'parameter_missing')
  if (!configuration.features.subscription_update.enabled) {
    throw invalid(
      'This subscription cannot be updated because the subscription update feature in the portal configuration is disabled.',
      param,
    )
  }
  if (wanted.discounts !== undefined) throw unsupported(`${param}[discounts]`)
  const subscription = requireRunning(tx, wanted.subscription, customer, `${param}[subscription]`)
  if (subscription.cancel_at !== null) {
    throw invalid('This subscription cannot be updated because it is set to be canceled.', `${param}[subscription]`)
  }
  const [item] = wanted.items
  if (!item || wanted.items.length > 1) throw invalid('Exactly one item can be updated.', `${param}[items]`)
  if (!subscription.items.data.some((each) => each.id === item.id))
    throw missing('subscription item', item.id, `${param}[items][0][id]`)
  const price = item.price === undefined ? null : requirePrice(tx, item.price, `${param}[items][0][price]`).id
  const offered = configuration.features.subscription_update.products.flatMap((each) => each.prices)
  if (price !== null && !offered.includes(price)) {
    throw invalid(
      `The price ${price} is not among the products of the portal configuration.`,
      `${param}[items][0][price]`,
    )
  }
  return {
    discounts: null,
    items: [{ id: item.id, price, quantity: item.quantity ?? 1 }],
    subscription: subscription.id,
  }
}

function afterCompletion(given: FlowParams['after_completion']): PortalFlow['after_completion'] {
  const type = given?.type ?? 'portal_homepage'
  if (type === 'redirect') requireUrl(given?.redirect?.return_url, 'flow_data[after_completion][redirect][return_url]')
  return {
    hosted_confirmation:
      type === 'hosted_confirmation' ? { custom_message: given?.hosted_confirmation?.custom_message ?? null } : null,
    redirect: type === 'redirect' ? { return_url: given?.redirect?.return_url ?? '' } : null,
    type,
  }
}

function readFlow(
  tx: Tx,
  given: FlowParams | undefined,
  customer: string,
  configuration: PortalConfiguration,
): PortalFlow | null {
  if (!given) return null
  const bare = {
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
  }
  const flow: PortalFlow = { ...bare, after_completion: afterCompletion(given.after_completion), type: given.type }
  const { features } = configuration
  switch (given.type) {
    case 'payment_method_update':
      if (!features.payment_method_update.enabled)
        throw invalid('The portal configuration does not allow updating payment methods.', 'flow_data[type]')
      return flow
    case 'subscription_cancel': {
      if (!features.subscription_cancel.enabled)
        throw invalid('The portal configuration does not allow canceling.', 'flow_data[type]')
      refuseUnsupported(
        given.subscription_cancel as { subscription: string } | undefined,
        new Set(['subscription']),
        'flow_data[subscription_cancel]',
      )
      const param = 'flow_data[subscription_cancel][subscription]'
      const subscription = requireRunning(tx, given.subscription_cancel?.subscription ?? '', customer, param)
      if (subscription.cancel_at !== null) throw invalid('This subscription is already set to be canceled.', param)
      return { ...flow, subscription_cancel: { retention: null, subscription: subscription.id } }
    }
    case 'subscription_update': {
      if (!features.subscription_update.enabled)
        throw invalid('The portal configuration does not allow switching plans.', 'flow_data[type]')
      const id = given.subscription_update?.subscription ?? ''
      return {
        ...flow,
        subscription_update: {
          subscription: requireRunning(tx, id, customer, 'flow_data[subscription_update][subscription]').id,
        },
      }
    }
    case 'subscription_update_confirm':
      return { ...flow, subscription_update_confirm: confirmFlow(tx, given, customer, configuration) }
    default:
      throw unsupported(`flow_data[type]=${given.type}`)
  }
}

export const portalSessionRoutes = [
  route<SessionParams>(
    'POST',
    '/v1/billing_portal/sessions',
    'post_billing_portal_sessions',
    'customer configuration return_url flow_data locale',
    ({ tx, params }) => {
      if (params.customer === undefined)
        throw invalid('Missing required param: customer.', 'customer', 'parameter_missing')
      const customer = requireCustomer(tx, params.customer, 'customer')
      const configuration = configurationFor(tx, params.configuration)
      if (params.return_url !== undefined) requireUrl(params.return_url, 'return_url')
      return createPortalSession(tx, {
        configuration: configuration.id,
        customer: customer.id,
        flow: readFlow(tx, params.flow_data, customer.id, configuration),
        returnUrl: params.return_url ?? configuration.default_return_url,
      })
    },
  ),
]
