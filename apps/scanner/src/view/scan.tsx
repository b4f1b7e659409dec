import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { CameraView } from '../../../shared/src/view/camera.tsx'
import { CodeForm } from '../../../shared/src/view/code-form.tsx'
import { useKeys } from '../../../shared/src/view/keys.ts'
import type { WalkInCategory } from '../offline/guest-list.ts'
import type { SearchedGuest } from '../scanner.ts'
import { mayEnter, type ScanOutcome } from '../scanning/outcome.ts'
import { loadSettings, type Settings, saveSettings } from '../storage/settings.ts'
import { CameraControls } from './camera-controls.tsx'
import { useBattery, useComfort } from './comfort.ts'
import { ConflictsView } from './conflicts.tsx'
import { useEscape } from './escape.ts'
import { GuideView } from './guide.tsx'
import { OutcomeSheet } from './outcome.tsx'
import { PartyChoice } from './party.tsx'
import { Place } from './place.tsx'
import type { ViewProps } from './props.ts'
import { RecentView } from './recent.tsx'
import { SearchView } from './search.tsx'
import { SelfTestView } from './self-test.tsx'
import { SettingsView } from './settings.tsx'
import { type Sheet, useSheet, useSheetHeight } from './sheet.ts'
import { SignatureView } from './signature.tsx'
import { UndoButton, UndoState } from './undo.tsx'
import { UnsentScans } from './unsent-scans.tsx'
import { UnsentSignatures } from './unsent-signatures.tsx'
import { WalkInView } from './walk-in.tsx'

type Opened = 'scan' | 'search' | 'walk-in' | 'recent' | 'settings' | 'guide' | 'test' | 'conflicts'

/** Where guests are scanned, with the views that a steward opens from there. */
export function ScanView({ scanner, say }: ViewProps) {
  const [opened, setOpened] = useState<Opened>('scan')
  const [settings, setSettings] = useState(loadSettings)
  const [signing, setSigning] = useState<ScanOutcome>()
  const [signed, setSigned] = useState<number>()
  useComfort(settings)
  const sheet = useSheet(scanner, settings.seconds)
  const open = (view: Opened) => {
    sheet.close()
    setOpened(view)
  }
  const scan = (scanned: string | readonly string[]) => {
    setOpened('scan')
    void scanner.scan(scanned)
  }
  // Nobody would see what comes of a scan while a guest signs, and a test checks nobody in.
  const isDeaf = signing !== undefined || opened === 'test'
  useKeys(isDeaf ? undefined : scan)
  const back = useCallback(() => setOpened('scan'), [])
  // Each view begins at its top, wherever the one before was scrolled to.
  useLayoutEffect(() => scrollTo(0, 0), [opened])
  useEscape(opened === 'scan' || signing ? undefined : back)
  useEffect(() => {
    if (opened !== 'settings') scanner.lock.shut()
  }, [opened])
  const change = (changed: Settings) => {
    saveSettings(changed)
    setSettings(changed)
  }
  const choose = (guest: SearchedGuest) => {
    setOpened('scan')
    void scanner.checkIn(guest)
  }
  const add = (name: string, category: WalkInCategory, persons: number) => {
    setOpened('scan')
    void scanner.walkIn(name, category, persons)
  }
  const view = { scanner, say, close: back }
  if (signing) {
    const close = (isSigned: boolean) => {
      if (isSigned) setSigned(signing.number)
      setSigning(undefined)
    }
    return <SignatureView scanner={scanner} say={say} outcome={signing} close={close} />
  }
  if (opened === 'search' && settings.search) return <SearchView {...view} found={choose} />
  if (opened === 'walk-in') return <WalkInView {...view} add={add} />
  if (opened === 'recent') return <RecentView {...view} />
  if (opened === 'guide') return <GuideView {...view} />
  if (opened === 'settings')
    return <SettingsView {...view} settings={settings} change={change} test={() => setOpened('test')} />
  if (opened === 'test') return <SelfTestView {...view} camera={settings.camera} />
  if (opened === 'conflicts' && differencesOf(scanner) > 0) return <ConflictsView {...view} />
  return (
    <MainView
      scanner={scanner}
      say={say}
      sheet={sheet}
      settings={settings}
      change={change}
      signed={signed}
      scan={scan}
      open={open}
      sign={(outcome) => {
        sheet.close()
        setSigning(outcome)
      }}
    />
  )
}

interface MainProps extends ViewProps {
  sheet: Sheet
  settings: Settings
  change: (settings: Settings) => void
  /** The number of the scan whose guest has signed. */
  signed: number | undefined
  scan: (scanned: string | readonly string[]) => void
  open: (view: Opened) => void
  sign: (outcome: ScanOutcome) => void
}

function MainView({ scanner, say, sheet, settings, change, signed, scan, open, sign }: MainProps) {
  const { outcome, isUp } = scanner
  const waiting = scanner.waiting + scanner.waitingSignatures
  const { isShown, canUndo, close } = sheet
  const height = useSheetHeight(sheet)
  // A result moves what is below it: the field in which a code was typed stays in sight for the next one.
  useLayoutEffect(() => {
    if (height !== undefined) document.activeElement?.closest('form')?.scrollIntoView({ block: 'nearest' })
  }, [height])
  const below = height === undefined ? {} : { style: { '--sheet': `${height}px` } }
  const actions = outcome && mayEnter(outcome) && (
    <Actions
      scanner={scanner}
      say={say}
      outcome={outcome}
      canUndo={canUndo}
      isSigned={outcome.number === signed}
      sign={sign}
      undone={close}
    />
  )
  return (
    <main class={height === undefined ? 'scan' : 'scan below'} {...below}>
      <header>
        <Place scanner={scanner} say={say} />
        <p class={isUp ? 'link up' : 'link down'}>
          {say(isUp ? 'online' : 'offline')}
          {waiting > 0 && <span> · {say('waiting', { count: waiting })}</span>}
        </p>
      </header>
      <OutcomeSheet scanner={scanner} say={say} outcome={isShown ? outcome : undefined} close={close}>
        {actions}
        {outcome && <PartyChoice key={outcome.number} scanner={scanner} say={say} outcome={outcome} />}
      </OutcomeSheet>
      <CameraView
        say={say}
        found={scan}
        camera={settings.camera}
        controls={(track) => (
          <CameraControls say={say} track={track} choose={(camera) => change({ ...settings, camera })} />
        )}
      />
      <CodeForm label={say('type_code')} button={say('check_in')} found={scan} typing={close} />
      {!isShown && actions && <div class="actions">{actions}</div>}
      <Footer scanner={scanner} say={say} open={open} />
      <nav>
        {settings.search && (
          <button type="button" class="second" onClick={() => open('search')}>
            {say('find')}
          </button>
        )}
        {scanner.walkInCategories().length > 0 && (
          <button type="button" class="second" onClick={() => open('walk-in')}>
            {say('walk_in')}
          </button>
        )}
        <button type="button" class="second" onClick={() => open('recent')}>
          {say('recent')}
        </button>
      </nav>
    </main>
  )
}

interface ActionsProps extends ViewProps {
  outcome: ScanOutcome
  canUndo: boolean
  isSigned: boolean
  sign: (outcome: ScanOutcome) => void
  undone: () => void
}

/** What can be done about a guest who was let in. */
function Actions({ scanner, say, outcome, canUndo, isSigned, sign, undone }: ActionsProps) {
  const { scan } = outcome
  const undo = scan && scanner.recent.undoOf(scan)
  if (scan && undo !== undefined) return <UndoState scan={scan} scanner={scanner} say={say} />
  return (
    <>
      {/* A click that began on one result must not undo the next scan. */}
      {scan && canUndo && <UndoButton key={scan.sequence} scan={scan} scanner={scanner} say={say} done={undone} />}
      {isSigned && <p role="status">{say('signed')}</p>}
      {!isSigned && scanner.asksToSign() && scan?.direction !== 'out' && (
        <button type="button" class="second named" onClick={() => sign(outcome)}>
          {say('sign', { name: outcome.name || (outcome.isNameAwaited ? '…' : (outcome.guest_uid ?? '')) })}
        </button>
      )}
    </>
  )
}

function Footer({ scanner, say, open }: ViewProps & { open: (view: Opened) => void }) {
  const { waitingOfOthers, waitingSignaturesOfOthers } = scanner
  const differences = differencesOf(scanner)
  const level = useBattery()
  return (
    <footer>
      {waitingOfOthers > 0 && (
        <UnsentScans scanner={scanner} say={say} words={say('other_waiting', { count: waitingOfOthers })} />
      )}
      <UnsentSignatures scanner={scanner} say={say} count={waitingSignaturesOfOthers} />
      {differences > 0 && (
        <button type="button" class="second alarming" onClick={() => open('conflicts')}>
          {say('conflicts', { count: differences })}
        </button>
      )}
      {scanner.device?.is_untried && (
        <button type="button" class="second" onClick={() => open('test')}>
          {say('test_device')}
        </button>
      )}
      <div class="actions">
        <button type="button" class="second" onClick={() => open('settings')}>
          {say('settings')}
        </button>
        <button type="button" class="second" onClick={() => open('guide')}>
          {say('guide')}
        </button>
      </div>
      {level !== null && <p class="hint">{say('battery', { level })}</p>}
    </footer>
  )
}

function differencesOf({ refused, refusedSignatures }: ViewProps['scanner']): number {
  return refused.length + refusedSignatures.length
}
