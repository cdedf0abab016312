import type { ParamSchema } from './coerce-params.ts'

const text: ParamSchema = { type: 'string' }
const integer: ParamSchema = { type: 'integer' }
const flag: ParamSchema = { type: 'boolean' }
const expand: ParamSchema = { type: 'array', items: text }
const metadata: ParamSchema = { anyOf: [{ $ref: '#/$defs/metadata_param' }, { const: '' }] }
const created: ParamSchema = { anyOf: [{ $ref: '#/$defs/range_query' }, integer] }
const page = { limit: integer, starting_after: text, ending_before: text, expand }

const object = (properties: { [name: string]: ParamSchema }, required: string[] = []): ParamSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const params = (properties: { [name: string]: ParamSchema }, required?: string[]) =>
  object({ expand, ...properties }, required)
/** One of several types, which Stripe describes as an object. */
const typed = (...types: string[]) => object({ type: { type: 'string', enum: types } }, ['type'])

/** Operations with few parameters, which are missing from the API description. */
export const extraParams: { [name: string]: ParamSchema } = {
  'params.retrieve': params({}),
  'params.none': object({}),
  'params.list': params(page),
  'params.get_coupons': params({ ...page, created }),
  'params.post_coupons_id': params({ metadata, name: text }),
  'params.get_webhook_endpoints': params(page),
  'params.get_test_clocks': params(page),
  'params.get_refunds': params({ ...page, created, charge: text, payment_intent: text }),
  'params.get_charges': params({ ...page, created, customer: text, payment_intent: text }),
  'params.get_payment_intents': params({ ...page, created, customer: text }),
  'params.get_invoice_payments': params({
    ...page,
    invoice: text,
    status: { type: 'string', enum: ['open', 'paid', 'canceled'] },
  }),
  'params.get_payment_methods': params({ ...page, customer: text, type: { type: 'string', enum: ['card'] } }),
  'params.get_customers_id_payment_methods': params({ ...page, type: { type: 'string', enum: ['card'] } }),
  'params.get_disputes': params({ ...page, created, charge: text, payment_intent: text }),
  'params.post_disputes_id': params({ evidence: object({ uncategorized_text: text }), submit: flag }),
  'params.post_payment_methods': params(
    {
      type: { type: 'string', enum: ['card'] },
      card: object({ token: text, number: text, exp_month: integer, exp_year: integer, cvc: text }),
      billing_details: object({ name: text, email: text }),
      metadata,
    },
    ['type', 'card'],
  ),
  'params.post_payment_methods_id_attach': params({ customer: text }, ['customer']),
  'params.post_subscriptions_id_pause': params({
    bill_for: object({ unused_time_from: typed('item_current_period_start', 'none', 'now') }),
    invoicing_behavior: { type: 'string', enum: ['invoice', 'pending_invoice_item'] },
    type: { type: 'string', enum: ['subscription'] },
  }),
  'params.post_subscriptions_id_resume': params({
    billing_cycle_anchor: typed('now', 'unchanged'),
    payment_behavior: { type: 'string', enum: ['resume_on_payment_attempt', 'resume_on_payment_success'] },
    proration_behavior: { type: 'string', enum: ['always_invoice', 'create_prorations', 'none'] },
    proration_date: integer,
  }),
  'params.post_invoices_id_finalize': params({ auto_advance: flag }),
}
