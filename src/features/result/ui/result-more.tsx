import type { ComponentProps } from 'react'

import { DropdownMenu, type MenuProps } from '#web/ui/dropdown-menu.tsx'

import { ResultItems } from './result-menu.tsx'

export function ResultMore({
  trigger,
  isOpen,
  ...items
}: ComponentProps<typeof ResultItems> & MenuProps) {
  return (
    <DropdownMenu trigger={trigger} isOpen={isOpen}>
      <ResultItems {...items} />
    </DropdownMenu>
  )
}
