import { isLookedUp, isTaxId } from '../billing/tax-ids.ts'
import { invalid } from '../http/errors.ts'
import { requires } from '../http/find-objects.ts'
import { list, type PageParams, route } from '../http/route.ts'
import { requireCustomer } from '../objects/customers.ts'
import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import { create, emit } from '../tx.ts'
import type { TaxId } from '../types.ts'

const path = '/v1/customers/:id/tax_ids'
const requireTaxId = requires<TaxId>('tax_id')

type TaxIdParams = { type: string; value: string }

export const taxIdRoutes = [
  route<TaxIdParams>('POST', path, 'post_customers_id_tax_ids', 'type value', ({ tx, params, id: customer }) => {
    requireCustomer(tx, customer)
    const { type, value } = params
    if (!isTaxId(type, value)) throw invalid(`Invalid value for ${type}.`, 'value', 'tax_id_invalid')
    const status = isLookedUp(type) ? 'pending' : 'unavailable'
    const taxId = build<TaxId>('tax_id', {
      id: newId('txi'),
      country: (type === 'eu_vat' ? value : type).slice(0, 2).toUpperCase().replace('EL', 'GR'),
      created: tx.at,
      customer,
      owner: { customer, customer_account: null, type: 'customer' },
      type,
      value,
      verification: { status, verified_address: null, verified_name: null },
    })
    return create(tx, 'customer.tax_id.created', taxId)
  }),
  route<PageParams>('GET', path, 'list', '', ({ tx, params, id }) => {
    requireCustomer(tx, id)
    return list(tx, { params, type: 'tax_id', url: path.replace(':id', id), values: [id], where: ['customer = ?'] })
  }),
  route('DELETE', `${path}/:id`, 'none', '', ({ tx, id }) => {
    const taxId = requireTaxId(tx, id)
    tx.store.markDeleted(id)
    emit(tx, 'customer.tax_id.deleted', taxId)
    return { id, object: 'tax_id', deleted: true }
  }),
]
