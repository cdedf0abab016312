import { ceremonyErrorMessage } from '#client/features/identity/passkeys/ceremony-error.ts'
import { Panel } from '#client/ui/panel.tsx'
import { NameForm } from './credential-name-form.tsx'
import type { FactorSetupProps } from './factor-setup-props.ts'
import { useAddSecurityKey } from './security.api.ts'

export function SecurityKeySetup({ suggestedName, onAdded, onClose }: FactorSetupProps) {
  const add = useAddSecurityKey()
  const handleName = (name: string) => add.mutate(name, { onSuccess: () => onAdded('Your security key is set up') })
  return (
    <Panel label="Add a security key">
      <NameForm
        title="Add a security key"
        hint="Helps you recognize it later. Next, your browser asks for the key."
        suggestion={suggestedName}
        action="Continue"
        pending={add.isPending}
        error={ceremonyErrorMessage(add.error)}
        onName={handleName}
        onClose={onClose}
      />
    </Panel>
  )
}
