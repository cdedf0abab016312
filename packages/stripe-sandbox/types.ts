/** JSON values. Everything stored, sent and received is plain JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json | undefined }

/** Any API object. Fields that the types below don't mention are constants. */
export type ApiObject = JsonObject & { id: string; object: string; created?: number }

export type Metadata = { [key: string]: string }
export type Interval = 'day' | 'week' | 'month' | 'year'
export type Recurring = { interval: Interval; interval_count: number; [key: string]: Json | undefined }

export type Product = ApiObject & {
  object: 'product'
  active: boolean
  name: string
  description: string | null
  metadata: Metadata
  updated: number
}

export type Price = ApiObject & {
  object: 'price'
  active: boolean
  currency: string
  lookup_key: string | null
  metadata: Metadata
  nickname: string | null
  product: string
  recurring: Recurring | null
  tax_behavior: 'exclusive' | 'inclusive' | 'unspecified'
  unit_amount: number
}

export type Customer = ApiObject & {
  object: 'customer'
  balance: number
  delinquent: boolean
  email: string | null
  name: string | null
  invoice_prefix: string
  next_invoice_sequence: number
  invoice_settings: {
    custom_fields: CustomField[] | null
    default_payment_method: string | null
    [key: string]: Json | undefined
  }
  metadata: Metadata
  test_clock: string | null
  deleted?: boolean
}

type Card = {
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  [key: string]: Json | undefined
}

export type BalanceTransaction = ApiObject & {
  object: 'customer_balance_transaction'
  amount: number
  currency: string
  customer: string
  ending_balance: number
  type: 'adjustment' | 'applied_to_invoice' | 'initial'
}

export type CustomField = { name: string; value: string }

export type TaxId = ApiObject & {
  object: 'tax_id'
  created: number
  customer: string
  type: string
  value: string
  verification: { status: 'pending' | 'unavailable' | 'unverified' | 'verified'; [key: string]: Json | undefined }
}

export type PaymentMethod = ApiObject & {
  object: 'payment_method'
  /** Not of a bank account. */
  card: Card
  customer: string | null
  type: 'card' | 'us_bank_account'
  us_bank_account?: JsonObject
}

type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'canceled'
  | 'unpaid'
  | 'paused'

export type SubscriptionItem = ApiObject & {
  object: 'subscription_item'
  created: number
  current_period_start: number
  current_period_end: number
  metadata: Metadata
  price: Price
  quantity: number
  subscription: string
}

type ListOf<T extends Json> = { object: 'list'; data: T[]; has_more: boolean; url: string; total_count?: number }

export type CancellationDetails = {
  comment: string | null
  feedback: string | null
  feedback_option: string | null
  reason: string | null
}

type PendingUpdate = {
  billing_cycle_anchor: number | null
  cancel_at_period_end: null
  discount: null
  discounts: null
  expires_at: number
  metadata: null
  subscription_items: SubscriptionItem[]
  trial_end: number | null
  trial_from_plan: null
}

export type CollectionMethod = 'charge_automatically' | 'send_invoice'

export type Subscription = ApiObject & {
  object: 'subscription'
  automatic_tax: { disabled_reason: null; enabled: boolean; liability: { type: 'self' } | null }
  created: number
  billing_cycle_anchor: number
  billing_mode: { type: 'classic' | 'flexible'; flexible: Json; updated_at?: number }
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: CancellationDetails
  collection_method: CollectionMethod
  currency: string
  customer: string
  /** Of invoices that are sent. */
  days_until_due: number | null
  default_payment_method: string | null
  discounts: string[]
  ended_at: number | null
  items: ListOf<SubscriptionItem>
  latest_invoice: string | null
  metadata: Metadata
  /** While set, new invoices are voided. */
  pause_collection: { behavior: 'void'; resumes_at: number | null } | null
  pending_update: PendingUpdate | null
  start_date: number
  status: SubscriptionStatus
  /** Only while it is paused. */
  status_details?: JsonObject
  test_clock: string | null
  trial_end: number | null
  trial_settings: { end_behavior: { billing_cycle_anchor: Json; missing_payment_method: string } }
  trial_start: number | null
}

export type Period = { start: number; end: number }

/** A prorated amount for the subscription's next invoice, in cents; negative for a credit. */
export type PendingItem = {
  amount: number
  description: string
  period: Period
  price: Price
  quantity: number
  item: string
}

/** The last billed net amount (cents) and period per item, from which unused time is credited. */
export type Billed = { [item: string]: { amount: number; start: number; end: number } }

/** The updates of an item change, applied at once or when paid. */
export type ChangePlan = { items: SubscriptionItem[]; billed: Billed; anchor: number }

/** Private data about a subscription. */
export type SubscriptionNotes = {
  billed: Billed
  pendingItems: PendingItem[]
  trialWillEndSent: boolean
  /** The change in `pending_update`, and the invoice to pay for it. */
  pendingPlan: ChangePlan | null
  pendingInvoice: string | null
}

export type LineDiscount = { amount: number; discount: string }

export type InvoiceLine = ApiObject & {
  object: 'line_item'
  amount: number
  currency: string
  description: string
  discount_amounts: LineDiscount[]
  discountable: boolean
  discounts: string[]
  invoice: string | null
  period: { start: number; end: number }
  quantity: number
  subscription: string | null
  subtotal: number
  taxes: Tax[]
}

export type Invoice = ApiObject & {
  object: 'invoice'
  created: number
  amount_due: number
  amount_paid: number
  amount_remaining: number
  attempt_count: number
  attempted: boolean
  auto_advance: boolean
  automatically_finalizes_at: number | null
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual' | 'upcoming'
  collection_method: CollectionMethod
  currency: string
  custom_fields: CustomField[] | null
  customer: string
  customer_tax_ids: { type: string; value: string }[]
  default_payment_method: string | null
  discounts: string[]
  due_date: number | null
  ending_balance: number | null
  hosted_invoice_url: string | null
  lines: ListOf<InvoiceLine>
  next_payment_attempt: number | null
  number: string | null
  parent: {
    type: 'subscription_details'
    quote_details: null
    subscription_details: { metadata: Metadata; subscription: string }
  }
  period_start: number
  period_end: number
  starting_balance: number
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  status_transitions: {
    finalized_at: number | null
    marked_uncollectible_at: number | null
    paid_at: number | null
    voided_at: number | null
  }
  subtotal: number
  test_clock: string | null
  total: number
  total_discount_amounts: LineDiscount[]
  total_taxes: Tax[]
}

/** Private data about an invoice. */
export type InvoiceNotes = {
  /** The random part of the invoice page's URL. */
  token: string
  /** A bank debit that is on its way, and when the bank answers. */
  debit?: { method: string; settlesAt: number } | null
  /** Of one that was sent and isn't paid: its due date has passed, and the subscription has ended. */
  late?: 'overdue' | 'given up'
}

export type PaymentIntent = ApiObject & {
  object: 'payment_intent'
  amount: number
  amount_received: number
  currency: string
  customer: string | null
  description: string | null
  last_payment_error: Json
  latest_charge: string | null
  metadata: Metadata
  next_action: Json
  payment_method: string | null
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
}

export type Charge = ApiObject & {
  object: 'charge'
  amount: number
  amount_refunded: number
  currency: string
  customer: string | null
  disputed: boolean
  paid: boolean
  payment_intent: string | null
  refunded: boolean
  status: 'succeeded' | 'failed'
}

export type InvoicePayment = ApiObject & {
  object: 'invoice_payment'
  amount_paid: number | null
  amount_requested: number
  invoice: string
  payment: { type: 'payment_intent'; payment_intent: string }
  status: 'open' | 'paid' | 'canceled'
  status_transitions: { canceled_at: number | null; paid_at: number | null }
}

export type Coupon = ApiObject & {
  object: 'coupon'
  amount_off: number | null
  currency: string | null
  duration: 'once' | 'repeating' | 'forever'
  duration_in_months: number | null
  max_redemptions: number | null
  metadata: Metadata
  name: string | null
  percent_off: number | null
  redeem_by: number | null
  times_redeemed: number
  valid: boolean
}

export type PromotionCode = ApiObject & {
  object: 'promotion_code'
  active: boolean
  code: string
  customer: string | null
  expires_at: number | null
  max_redemptions: number | null
  metadata: Metadata
  promotion: { type: 'coupon'; coupon: string }
  restrictions: {
    first_time_transaction: boolean
    minimum_amount: number | null
    minimum_amount_currency: string | null
  }
  times_redeemed: number
}

export type Discount = ApiObject & {
  object: 'discount'
  end: number | null
  promotion_code: string | null
  source: { type: 'coupon'; coupon: string }
  start: number
  subscription: string | null
}

export type CheckoutLine = ApiObject & {
  object: 'item'
  amount_discount: number
  amount_subtotal: number
  amount_tax: number
  amount_total: number
  price: Price
  quantity: number
}

export type CheckoutSession = ApiObject & {
  object: 'checkout.session'
  automatic_tax: {
    enabled: boolean
    liability: { type: 'self' } | null
    provider: string | null
    status: string | null
  }
  tax_id_collection?: { enabled: boolean; required: string }
  created: number
  allow_promotion_codes: boolean | null
  amount_subtotal: number
  amount_total: number
  cancel_url: string | null
  client_reference_id: string | null
  currency: string
  customer: string | null
  /** Null with a customer. In payment mode `if_required` creates none. */
  customer_creation: 'always' | 'if_required' | null
  customer_details: JsonObject | null
  customer_email: string | null
  discounts: { coupon: string | null; promotion_code: string | null }[]
  expires_at: number
  invoice: string | null
  metadata: Metadata
  mode: 'payment' | 'subscription'
  payment_intent: string | null
  payment_method_collection: 'always' | 'if_required'
  payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  setup_intent: string | null
  status: 'open' | 'complete' | 'expired'
  subscription: string | null
  success_url: string
  total_details: { amount_discount: number; amount_shipping: number; amount_tax: number }
  url: string | null
}

export type TestClock = ApiObject & {
  object: 'test_helpers.test_clock'
  frozen_time: number
  name: string | null
  status: 'ready' | 'advancing' | 'internal_failure'
  status_details: { advancing?: { target_frozen_time: number } }
}

export type WebhookEndpoint = ApiObject & {
  object: 'webhook_endpoint'
  enabled_events: string[]
  status: 'enabled' | 'disabled'
  url: string
}

export type StripeEvent = ApiObject & {
  object: 'event'
  created: number
  data: { object: JsonObject; previous_attributes?: JsonObject }
  type: string
}

export type Refund = ApiObject & { object: 'refund'; amount: number; charge: string; payment_intent: string | null }

export type PortalFeatures = {
  customer_update: { enabled: boolean; allowed_updates: string[] }
  invoice_history: { enabled: boolean }
  payment_method_update: { enabled: boolean; payment_method_configuration: null }
  subscription_cancel: {
    enabled: boolean
    mode: 'at_period_end' | 'immediately'
    proration_behavior: ProrationBehavior
    cancellation_reason: { enabled: boolean; options: string[]; feedback_options: null }
  }
  subscription_pause: JsonObject
  subscription_update: {
    enabled: boolean
    billing_cycle_anchor: 'now' | 'unchanged' | null
    default_allowed_updates: string[]
    products: { product: string; prices: string[]; adjustable_quantity: JsonObject }[]
    proration_behavior: ProrationBehavior
    schedule_at_period_end: { conditions: JsonObject[] }
    trial_update_behavior: 'continue_trial' | 'end_trial'
  }
}

export type PortalConfiguration = ApiObject & {
  object: 'billing_portal.configuration'
  active: boolean
  default_return_url: string | null
  features: PortalFeatures
  is_default: boolean
  business_profile: { headline: string | null; privacy_policy_url: string | null; terms_of_service_url: string | null }
}

export type PortalFlow = {
  type: string
  after_completion: {
    type: 'hosted_confirmation' | 'portal_homepage' | 'redirect'
    hosted_confirmation: { custom_message: string | null } | null
    redirect: { return_url: string } | null
  }
  customer_update: null
  subscription_cancel: { subscription: string; retention: null } | null
  subscription_pause: null
  subscription_update: { subscription: string } | null
  subscription_update_confirm: {
    subscription: string
    items: { id: string; price: string | null; quantity?: number }[]
    discounts: null
  } | null
}

export type PortalSession = ApiObject & {
  object: 'billing_portal.session'
  configuration: string
  created: number
  customer: string
  flow: PortalFlow | null
  return_url: string | null
}

export type ProrationBehavior = 'create_prorations' | 'always_invoice' | 'none'
export type PaymentBehavior =
  | 'allow_incomplete'
  | 'default_incomplete'
  | 'error_if_incomplete'
  | 'pending_if_incomplete'

export type TaxBehavior = 'exclusive' | 'inclusive'

export type Tax = {
  amount: number
  tax_behavior: TaxBehavior
  tax_rate_details: { tax_rate: string }
  taxability_reason: 'standard_rated'
  taxable_amount: number
  type: 'tax_rate_details'
}
