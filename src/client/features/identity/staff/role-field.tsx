import { SelectField } from '#client/ui/select-field.tsx'
import { type StaffRole, staffRoleLabels, staffRoles } from '#shared/domain/staff-roles.ts'

type RoleFieldProps = {
  label: string
  value: StaffRole
  onChange: (role: StaffRole) => void
  roles?: readonly StaffRole[]
}

/** Chooses a role and says what it may do. */
export function RoleField({ label, value, onChange, roles = staffRoles }: RoleFieldProps) {
  return (
    <SelectField
      label={label}
      hint={`${staffRoleLabels[value].can}.`}
      value={value}
      onChange={({ target }) => onChange(roles.find((role) => role === target.value) ?? value)}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {staffRoleLabels[role].name}
        </option>
      ))}
    </SelectField>
  )
}
