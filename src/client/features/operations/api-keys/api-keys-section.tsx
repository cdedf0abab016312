import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { type Change, submitHandler, useChange } from '#client/lib/changes.ts'
import { inWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FormActions, SelectField, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  type ApiKey,
  adminApiKeysCall,
  adminCreateApiKeyCall,
  adminRevokeApiKeyCall,
} from '#shared/contracts/operations/api-keys.ts'
import { apiScopeNames, apiScopes } from '#shared/contracts/operations/public-api.ts'

const apiKeysQuery = alwaysStaleQuery(['api-keys'], adminApiKeysCall, {})

/** Keys of the public API. */
export function ApiKeysSection() {
  const keys = useQuery(apiKeysQuery)
  const [isAdding, setIsAdding] = useState(false)
  const create = useChange(adminCreateApiKeyCall)
  if (!keys.data) return <QueryPlaceholder query={keys} what="the API keys" lines={3} height="h-14" />
  const { items } = keys.data
  return (
    <Section
      title="API keys"
      lede={
        <>
          Let your own programs read and change data under <code className="font-mono text-sm">/api/v1</code>.{' '}
          <a href="/api/v1/openapi.json" className="text-link">
            OpenAPI document
          </a>
        </>
      }
    >
      {create.data && !isAdding && (
        <div role="status" className="mb-6 rounded-md border border-line bg-sunken p-4">
          <p className="font-semibold">Copy the key now. It won’t be shown again.</p>
          <CopyableText text={create.data.key} what="API key" />
        </div>
      )}
      {items.length > 0 && (
        <ul aria-label="API keys" className="mb-5 divide-y divide-line border-y border-line">
          {items.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      {isAdding ? (
        <KeyForm create={create} onClose={() => setIsAdding(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setIsAdding(true)}>
          Create API key
        </Button>
      )}
    </Section>
  )
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, prefix, scopes, createdBy, createdAt, expiresAt, lastUsedAt, status } = apiKey
  const revoke = useChange(adminRevokeApiKeyCall, { done: 'Key revoked', failure: 'We couldn’t revoke the key' })
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 py-3.5">
      <div className="min-w-0 text-sm text-muted">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-base text-ink">
          <span className="font-semibold [overflow-wrap:anywhere]">{name}</span>
          <code className="font-mono text-sm">{prefix}…</code>
          {status !== 'active' && <Tag tone="danger">{status === 'revoked' ? 'Revoked' : 'Expired'}</Tag>}
        </p>
        <p>{scopes.join(', ')}</p>
        <p>
          Created <Timestamp at={createdAt} /> by {createdBy}.{' '}
          {lastUsedAt ? (
            <>
              Last used <Timestamp at={lastUsedAt} />.
            </>
          ) : (
            'Never used.'
          )}{' '}
          {expiresAt && status === 'active' && (
            <>
              Expires <Timestamp at={expiresAt} />.
            </>
          )}
        </p>
      </div>
      {status === 'active' && (
        <ConfirmButton
          label="Revoke"
          variant="quiet"
          size="sm"
          className="-mx-3"
          aria-label={`Revoke: ${name}`}
          pending={revoke.isPending}
          title={`Revoke ${name}?`}
          action="Revoke"
          onConfirm={() => revoke.mutate({ id })}
        >
          Programs that use this key stop working at once.
        </ConfirmButton>
      )}
    </li>
  )
}

const lifetimes = { '': 'Never', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' } as const

function KeyForm({ create, onClose }: { create: Change<typeof adminCreateApiKeyCall>; onClose: () => void }) {
  const handleSubmit = submitHandler(create, (_text, form) => {
    const scopes = apiScopeNames.filter((scope) => form.getAll('scope').includes(scope))
    const days = Number(form.get('days'))
    create.mutate({ name: String(form.get('name')), scopes, expiresInDays: days || null }, { onSuccess: onClose })
  })
  return (
    <form onSubmit={handleSubmit} aria-label="Create API key" className="grid max-w-3xl gap-5">
      <div className="grid items-start gap-5 md:grid-cols-2">
        <TextField label="Name" name="name" required maxLength={80} hint="Where the key is used, such as CRM." />
        <SelectField label="Expires" name="days" defaultValue="" options={lifetimes} />
      </div>
      <ChoiceGroup legend="What the key may do" columns>
        {apiScopeNames.map((scope) => (
          <Choice
            key={scope}
            type="checkbox"
            name="scope"
            value={scope}
            label={inWords(apiScopes[scope])}
            description={scope}
          />
        ))}
      </ChoiceGroup>
      <FormActions action="Create key" change={create} onCancel={onClose} />
    </form>
  )
}
