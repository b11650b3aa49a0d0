-- Works a manifest in Neovim as a person does, and writes what was seen as JSON. Run by neovim.test.ts.
local function env(name)
  return os.getenv(name) or error(name .. ' is not set')
end

--- Lets Neovim work until something holds.
local function await(what, holds)
  if not vim.wait(8000, holds, 10) then
    error('never came: ' .. what)
  end
end

--- Does what a person's init.lua does, then opens the manifest.
local function start()
  dofile(env('SETUP'))
  vim.cmd('edit ' .. env('MANIFEST'))
end

local function clients()
  return vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()
end

--- Picks the first action by itself.
vim.ui.select = function(items, _, choose)
  choose(items[1], 1)
end

local function lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

local function on(line, word)
  local column = vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1]:find(word, 1, true)
  vim.api.nvim_win_set_cursor(0, { line + 1, column - 1 })
end

local function diagnostics()
  return vim.tbl_map(function(it)
    return { lnum = it.lnum, col = it.col, end_col = it.end_col, code = it.code, severity = it.severity }
  end, vim.diagnostic.get(0))
end

--- What the server answers about the place of the cursor.
local function ask(method, more)
  local client = clients()[1]
  local params = vim.tbl_extend('error', vim.lsp.util.make_position_params(0, client.offset_encoding), more or {})
  for _, it in pairs(vim.lsp.buf_request_sync(0, method, params, 5000) or {}) do
    return it.result
  end
end

local function hover()
  return ask('textDocument/hover').contents.value
end

local function work()
  start()
  local seen = { version = tostring(vim.version().major) .. '.' .. tostring(vim.version().minor) }
  await('diagnostics', function()
    -- A score makes it an error: that is known last.
    return #vim.diagnostic.get(0) == 2 and #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 1
  end)
  seen.diagnostics = diagnostics()
  on(3, '4.17.15')
  seen.hover = hover()
  seen.outline = vim.tbl_map(function(it)
    return it.text
  end, vim.lsp.util.symbols_to_items(ask('textDocument/documentSymbol'), 0))
  seen.users = #ask('textDocument/references', { context = { includeDeclaration = true } })
  if vim.lsp.inlay_hint then
    await('hints', function()
      return #vim.lsp.inlay_hint.get({ bufnr = 0 }) == 2
    end)
    seen.hints = vim.tbl_map(function(it)
      return it.inlay_hint.label
    end, vim.lsp.inlay_hint.get({ bufnr = 0 }))
  end
  vim.lsp.buf.code_action()
  await('an edit', function()
    return vim.bo.modified
  end)
  seen.lines = lines()
  await('diagnostics without the one that was fixed', function()
    return #vim.diagnostic.get(0) == 1
  end)
  vim.cmd('silent write')
  -- A person goes on: the server must still be there.
  on(4, '2.88.2')
  seen.after = hover()
  seen.alive = #clients() == 1 and not clients()[1].is_stopped()
  return seen
end

local fine, seen = pcall(work)
vim.fn.writefile({ vim.fn.json_encode(fine and seen or { failed = tostring(seen) }) }, env('REPORT'))
vim.cmd('qall!')
