import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import { setStage } from './stage.ts';

const stage = setStage();

test('an update is scheduled from its line, moved and canceled in the hover, and closed once it is made', async (context) => {
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'schedule',
    viewport: { width: 1200, height: 800 },
    isConnected: true,
  });
  const { page } = screen;
  const widget = page.locator('.quick-input-widget:visible');
  const row = (text: string) => widget.locator('.monaco-list-row').filter({ hasText: text }).first();
  const toast = page.locator('.notification-toast');
  const hover = page.locator('.monaco-hover:visible');
  const events = async (): Promise<readonly { readonly summary?: string }[]> => {
    const { environment } = screen;
    const headers = { authorization: `Bearer ${environment['PACKAGE_INSIGHTS_SCHEDULING_TOKEN']}` };
    const get = async (path: string): Promise<{ readonly items: readonly { id: string; summary?: string }[] }> => {
      const answer = await fetch(`${environment['PACKAGE_INSIGHTS_SCHEDULING_URL']}/${path}`, { headers });
      return (await answer.json()) as { readonly items: readonly { id: string; summary?: string }[] };
    };
    const calendars = await get('users/me/calendarList');
    const own = calendars.items.find((it) => it.summary === 'Dependency updates');
    return own ? (await get(`calendars/${encodeURIComponent(own.id)}/events`)).items : [];
  };

  await screen.open('package.json');
  await screen.shows('→ 4.17.21 · 3 vulnerabilities');
  const fixes = await screen.quickFixes('^4.17.15');
  assert.ok(
    fixes.some((it) => /Schedule the update of lodash to 4\.[\d.]+…/.test(it)),
    fixes.join('\n'),
  );
  await screen.picture('fixes');
  await screen.take('Schedule the update of lodash');
  await row('Make a calendar').waitFor();
  await screen.picture('calendars');
  await page.keyboard.press('Enter');
  await row('Another time…').waitFor();
  await screen.picture('times');
  await row('Another time…').click();
  await widget.locator('input').fill('tomorrow 14:00');
  await widget.getByText(/^\w+day \d+ \w+ \d{4} 14:00/).waitFor();
  await screen.picture('time');
  await page.keyboard.press('Enter');
  await toast.filter({ hasText: 'Scheduled for' }).waitFor();
  await screen.shows('scheduled ');
  await screen.picture('scheduled');
  assert.equal((await events()).length, 1);
  await toast.getByText('Undo').click();
  await eventually(async () => assert.deepEqual(await events(), []));

  await screen.hover('"lodash"', 'Schedule…');
  await screen.picture('hover');
  await hover.getByText('Schedule…').click();
  await row('Another time…').waitFor();
  await page.keyboard.press('Enter');
  await toast.filter({ hasText: 'Scheduled for' }).waitFor();
  await page.keyboard.press('Escape');
  await screen.hover('"lodash"', 'Move…');
  await screen.picture('hover-scheduled');
  await hover.getByText('Move…').click();
  await row('Another time…').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('.statusbar-item').filter({ hasText: 'Moved to' }).waitFor();
  await screen.command('Package Insights: Show Scheduled Updates');
  await row('Update lodash').waitFor();
  await screen.picture('list');
  await page.keyboard.press('Escape');

  const updates = await screen.quickFixes('^4.17.15');
  assert.ok(
    updates.some((it) => it.includes('Scheduled update of lodash')),
    updates.join('\n'),
  );
  await screen.take('Update lodash to');
  await screen.shows('"^4.17.21"');
  await screen.save();
  await eventually(async () => assert.match((await events())[0]?.summary ?? '', /^✓/));
});
