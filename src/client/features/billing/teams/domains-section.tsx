import { AtSign } from 'lucide-react'
import { useState } from 'react'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import {
  addTeamDomainCall,
  maxTeamDomains,
  type OwnedTeam,
  proveTeamDomainCall,
  removeTeamDomainCall,
} from '#shared/contracts/billing/teams.ts'
import { formatDay } from '#shared/domain/format.ts'

type Domain = OwnedTeam['domains'][number]

/** Email domains whose addresses give a seat in the owner's team. */
export default function DomainsSection({ domains }: { domains: readonly Domain[] }) {
  const add = useChange(addTeamDomainCall, { done: 'Code sent' })
  return (
    <Section
      title="Access by email domain"
      lede="Anyone who signs in with a confirmed address at your company’s domain gets a seat if one is free. If not, you get a request. People who leave or are removed need an invitation to come back."
    >
      {domains.length > 0 && (
        <ItemList label="Domains">
          {domains.map((domain) => (
            <DomainRow key={domain.domain} domain={domain} />
          ))}
        </ItemList>
      )}
      {(domains.length < maxTeamDomains || domains.some(({ provenAt }) => !provenAt)) && (
        <form
          key={domains.length}
          onSubmit={submitHandler(add, (text) => add.mutate({ email: text('email') }))}
          className="mt-5 grid max-w-md gap-5"
        >
          <TextField
            name="email"
            label="An address at the domain"
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            inputMode="email"
            spellCheck={false}
            maxLength={320}
            required
            hint="We email it a code that proves the domain. Subdomains are separate domains."
          />
          <FormError>{formErrorMessage(add.error)}</FormError>
          <Button type="submit" variant="secondary" pending={add.isPending} className="justify-self-start">
            Email a code
          </Button>
        </form>
      )}
    </Section>
  )
}

function DomainRow({ domain: { domain, email, provenAt } }: { domain: Domain }) {
  const remove = useChange(removeTeamDomainCall, { done: 'Domain removed', failure: 'We couldn’t remove the domain' })
  const prove = useChange(proveTeamDomainCall, { done: `${domain} gives access` })
  const [isConfirming, setConfirming] = useState(false)
  return (
    <ItemRow
      icon={AtSign}
      title={
        <>
          {domain}
          {!provenAt && <Tag tone="accent">Waiting for its code</Tag>}
        </>
      }
      facts={
        provenAt
          ? `Gives access since ${formatDay(provenAt)}`
          : `We emailed a code to ${email}. For a new one, enter the address again below.`
      }
      actions={
        <>
          <Button
            variant="quiet"
            size="sm"
            pending={remove.isPending}
            aria-label={`Remove ${domain}`}
            onClick={() => setConfirming(true)}
          >
            Remove
          </Button>
          {isConfirming && (
            <ConfirmDialog
              title={`Remove ${domain}?`}
              action="Remove domain"
              onConfirm={() => remove.mutate({ domain })}
              onClose={() => setConfirming(false)}
            >
              Addresses at {domain} no longer give a seat. People who already have one keep it until you remove them.
            </ConfirmDialog>
          )}
        </>
      }
    >
      {!provenAt && (
        <form
          onSubmit={submitHandler(prove, (text) => prove.mutate({ domain, code: text('code') }))}
          className="grid max-w-xs gap-4"
        >
          <TextField
            name="code"
            label={`Code for ${domain}`}
            hint="It works once, for 30 minutes."
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={16}
            required
          />
          <FormError>{formErrorMessage(prove.error)}</FormError>
          <Button type="submit" size="sm" pending={prove.isPending} className="justify-self-start">
            Confirm domain
          </Button>
        </form>
      )}
    </ItemRow>
  )
}
