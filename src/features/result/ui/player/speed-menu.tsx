import { type Player, rates } from '#web/player.ts'
import {
  DropdownMenu,
  MenuCheck,
  MenuItem,
  type MenuProps,
  MenuRadioGroup,
  MenuSeparator,
} from '#web/ui/dropdown-menu.tsx'

import { usePlayerState } from './use-player.ts'

export function SpeedMenu({
  player,
  onShortcuts,
  ...menu
}: MenuProps & {
  player: Player
  /** Null where no keys are listened to. */
  onShortcuts: (() => void) | null
}) {
  const { rate, skipsSilence } = usePlayerState(player)
  return (
    <DropdownMenu label="Playback" {...menu}>
      <MenuRadioGroup
        value={String(rate)}
        onValueChange={(chosen) => player.setRate(Number(chosen))}
        options={rates.map((rate) => ({ value: String(rate), label: `${rate}×` }))}
      />
      <MenuSeparator />
      <MenuCheck checked={skipsSilence} onCheckedChange={player.setSkipsSilence}>
        Skip silence
      </MenuCheck>
      {onShortcuts ? (
        <MenuItem className="max-sm:hidden" onSelect={onShortcuts}>
          Keyboard shortcuts
        </MenuItem>
      ) : null}
    </DropdownMenu>
  )
}
