import { invalid } from '../http/errors.ts'
import { field, listRoute, requires } from '../http/find-objects.ts'
import { route } from '../http/route.ts'
import { clearedBy, type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { buildProduct } from '../objects/products-and-prices.ts'
import { change, create, type Tx } from '../tx.ts'
import type { Product } from '../types.ts'

type ProductParams = { id?: string; name?: string; description?: string; active?: boolean; metadata?: MetadataParam }

export const requireProduct = requires<Product>('product')

function requireName(name: string | undefined): void {
  if (name === '')
    throw invalid(`You passed an empty string for 'name'. Names cannot be unset.`, 'name', 'parameter_invalid_empty')
}

const filled = (id: string | undefined, tx: Tx): string | undefined => {
  if (id !== undefined && tx.store.find('product', id, true)) {
    throw invalid('Product already exists.', 'id', 'resource_already_exists')
  }
  return id
}

export const productRoutes = [
  route<ProductParams & { name: string }>(
    'POST',
    '/v1/products',
    'post_products',
    'id name description active metadata type',
    ({ tx, params }) => {
      requireName(params.name)
      return create(
        tx,
        'product.created',
        buildProduct(tx, {
          active: params.active,
          description: clearedBy(params.description, null),
          id: filled(params.id, tx),
          metadata: mergeMetadata({}, params.metadata),
          name: params.name,
        }),
      )
    },
  ),
  route<ProductParams>(
    'POST',
    '/v1/products/:id',
    'post_products_id',
    'name description active metadata default_price',
    ({ tx, params, id }) => {
      const product = requireProduct(tx, id)
      requireName(params.name)
      return change(tx, 'product.updated', product, {
        ...product,
        active: params.active ?? product.active,
        description: clearedBy(params.description, product.description),
        metadata: mergeMetadata(product.metadata, params.metadata),
        name: params.name ?? product.name,
        updated: tx.at,
      })
    },
  ),
  route('GET', '/v1/products/:id', 'retrieve', '', ({ tx, id }) => requireProduct(tx, id)),
  listRoute('/v1/products', 'get_products', 'product', { filters: { active: field('active'), ids: 'id' } }),
]
