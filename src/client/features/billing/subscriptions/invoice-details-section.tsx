import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alwaysStaleQuery, CallError } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { FormActions, SelectField, TextField } from '#client/ui/form.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import {
  type InvoiceDetails,
  invoiceDetailsCall,
  saveInvoiceDetailsCall,
} from '#shared/contracts/billing/invoice-details.ts'
import { taxIdLabel, taxIdTypes } from '#shared/domain/tax-ids.ts'

const statusTexts = {
  pending: 'Being checked',
  verified: 'Confirmed by the tax office',
  unverified: 'Not found by the tax office. Check the number.',
  unavailable: '',
}

const options = taxIdTypes.map((type) => [type, taxIdLabel(type)] as const).sort(([, a], [, b]) => a.localeCompare(b))

/** What the next invoices print: company, purchase order and tax id. Nothing while Stripe doesn't answer. */
export function InvoiceDetailsSection() {
  const { data } = useQuery(alwaysStaleQuery(['invoice-details'], invoiceDetailsCall, {}))
  const [isOpen, setOpen] = useState(false)
  if (!data?.details) return null
  const { details } = data
  const { companyName, poNumber, taxIds } = details
  const isEmpty = !companyName && !poNumber && taxIds.length === 0
  return (
    <Section title="Invoice details" lede="Printed on your future invoices. Invoices you already have don’t change.">
      {isOpen ? (
        <DetailsForm details={details} onClose={() => setOpen(false)} />
      ) : (
        <div className="grid gap-5">
          {!isEmpty && (
            <PropertyList>
              {companyName && <Property name="Company name">{companyName}</Property>}
              {poNumber && <Property name="PO number">{poNumber}</Property>}
              {taxIds.map(({ id, type, value, status }) => (
                <Property key={id} name={taxIdLabel(type)}>
                  {value}
                  {statusTexts[status] && <span className="block text-sm text-muted">{statusTexts[status]}</span>}
                </Property>
              ))}
            </PropertyList>
          )}
          <Button variant="secondary" className="justify-self-start" onClick={() => setOpen(true)}>
            {isEmpty ? 'Add invoice details' : 'Edit invoice details'}
          </Button>
        </div>
      )}
    </Section>
  )
}

function DetailsForm({ details, onClose }: { details: InvoiceDetails; onClose: () => void }) {
  const save = useChange(saveInvoiceDetailsCall, { done: 'Invoice details saved', onSuccess: onClose })
  const [taxId] = details.taxIds
  const isTaxIdWrong = save.error instanceof CallError && save.error.code === 'tax_id_invalid'
  return (
    <form
      onSubmit={submitHandler(save, (text) => {
        const value = text('taxId')
        save.mutate({
          companyName: text('companyName'),
          poNumber: text('poNumber'),
          taxId: value ? { type: text('taxIdType'), value } : null,
          replaces: taxId?.id ?? null,
        })
      })}
      className="grid max-w-md gap-5"
    >
      <InvoiceDetailFields details={details} taxIdError={isTaxIdWrong ? formErrorMessage(save.error) : undefined} />
      <FormActions
        action="Save details"
        change={isTaxIdWrong ? { isPending: save.isPending, error: null } : save}
        onCancel={onClose}
      />
    </form>
  )
}

type FieldsProps = { details: InvoiceDetails | null; taxIdError: string | undefined; isCompany?: boolean }

/** The fields `companyName`, `poNumber`, `taxIdType` and `taxId` of a form. */
export function InvoiceDetailFields({ details, taxIdError, isCompany = false }: FieldsProps) {
  const taxId = details?.taxIds[0]
  return (
    <>
      <TextField
        name="companyName"
        label="Company name"
        autoComplete="organization"
        maxLength={150}
        required={isCompany}
        defaultValue={details?.companyName}
      />
      <TextField
        name="poNumber"
        label="PO number"
        hint="Optional. Your purchase order, if your company uses them."
        autoComplete="off"
        maxLength={140}
        defaultValue={details?.poNumber}
      />
      <SelectField
        name="taxIdType"
        label="Country and type of tax ID"
        defaultValue={taxId?.type ?? 'us_ein'}
        options={options}
      />
      <TextField
        name="taxId"
        label="Tax ID"
        hint="Optional."
        error={taxIdError}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        defaultValue={taxId?.value}
      />
    </>
  )
}
