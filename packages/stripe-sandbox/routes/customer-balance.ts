import { invalid } from '../http/errors.ts'
import { list, type PageParams } from '../http/lists.ts'
import { route } from '../http/route.ts'
import { requireCurrency } from '../objects/currency.ts'
import { addToBalance } from '../objects/customer-balance.ts'
import { requireCustomer } from '../objects/customers.ts'
import { type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { change, inTimeOf } from '../tx.ts'

const path = '/v1/customers/:id/balance_transactions'

type BalanceParams = { amount: number; currency: string; description?: string; metadata?: MetadataParam }

export const customerBalanceRoutes = [
  route<BalanceParams>(
    'POST',
    path,
    'post_customers_id_balance_transactions',
    'amount currency description metadata',
    ({ tx, params, id }) => {
      const customer = requireCustomer(tx, id)
      const currency = requireCurrency(params.currency, 'currency')
      if (params.amount === 0) throw invalid('Amount must be non-zero.', 'amount')
      if (typeof customer.currency === 'string' && customer.currency !== currency) {
        throw invalid(
          `You cannot combine currencies on a single customer. This customer uses ${customer.currency}.`,
          'currency',
        )
      }
      const at = inTimeOf(tx, customer)
      return addToBalance(at, change(at, 'customer.updated', customer, { ...customer, currency }), {
        amount: params.amount,
        currency,
        type: 'adjustment',
        description: params.description ?? null,
        metadata: mergeMetadata({}, params.metadata),
      })
    },
  ),
  route<PageParams>('GET', path, 'list', '', ({ tx, params, id }) => {
    requireCustomer(tx, id)
    return list(tx, {
      params,
      type: 'customer_balance_transaction',
      url: path.replace(':id', id),
      values: [id],
      where: ['customer = ?'],
    })
  }),
]
