;;; Works a manifest in Emacs as a person does, and writes what was seen as JSON.  Run by emacs.test.ts.  -*- lexical-binding: t -*-

(require 'eglot)
(require 'json)
(require 'cl-lib)

(defun seen-await (what holds)
  "Let Emacs work until HOLDS says so, at most a minute; WHAT names it."
  (let ((until (+ (float-time) 60)))
    (while (not (funcall holds))
      (when (> (float-time) until) (error "Never came: %s" what))
      (accept-process-output nil 0.01))))

(defun seen-on (text)
  "Go to TEXT."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun seen-hover ()
  "What the echo area would say."
  (let (said)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq said text)))
    (seen-await "hover" (lambda () said))
    (substring-no-properties said)))

(defun seen-names (index)
  "The names of an outline, at whatever depth."
  (mapcan (lambda (it)
            (cons (substring-no-properties (car it)) (and (consp (cdr it)) (listp (cddr it)) (seen-names (cdr it)))))
          index))

(defun seen-diagnostics ()
  "Each finding: its text in the buffer, and what is said of it."
  (mapcar (lambda (it)
            (list (cons 'text (buffer-substring-no-properties (flymake-diagnostic-beg it) (flymake-diagnostic-end it)))
                  (cons 'said (substring-no-properties (flymake-diagnostic-text it)))))
          (sort (flymake-diagnostics)
                (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b))))))

;; Stands in for the package of that name.
(define-derived-mode json-mode js-mode "JSON")

(defun seen-work ()
  "Open the manifest, look, fix, and look again."
  (let* ((manifest (getenv "MANIFEST"))
         (eglot-confirm-server-initiated-edits nil)
         (eglot-sync-connect 8)
         ;; The folder is the project; nobody is asked for it.
         (project-find-functions (list (lambda (_) (cons 'transient (file-name-directory manifest)))))
         (flymake-no-changes-timeout 0.05)
         seen)
    (load (getenv "SETUP") nil t)
    (find-file manifest)
    ;; Emacs 28 has no mode of its own for JSON.
    (if (fboundp 'js-json-mode) (js-json-mode) (json-mode))
    (apply #'eglot (eglot--guess-contact))
    (seen-await "diagnostics" (lambda () (flymake-start) (= (length (flymake-diagnostics)) 2)))
    (push (cons 'diagnostics (vconcat (seen-diagnostics))) seen)
    (seen-on "4.17.15")
    (push (cons 'hover (seen-hover)) seen)
    (push (cons 'outline (vconcat (seen-names (funcall imenu-create-index-function)))) seen)
    (push (cons 'users (length (xref-backend-references 'eglot "LSP identifier at point."))) seen)
    ;; As if a key had been pressed: with a mouse, a menu would open.  The first action is picked.
    (cl-letf ((last-nonmenu-event ?\r)
              ((symbol-function 'completing-read) (lambda (_ actions &rest _) (caar actions))))
      (eglot-code-actions (point) (point) nil t))
    (seen-await "an edit" #'buffer-modified-p)
    (push (cons 'text (buffer-substring-no-properties (point-min) (point-max))) seen)
    (eglot--signal-textDocument/didChange)
    (seen-await "diagnostics without the one that was fixed"
                (lambda () (flymake-start) (= (length (flymake-diagnostics)) 1)))
    (let ((make-backup-files nil)) (save-buffer))
    (seen-on "2.88.2")
    (push (cons 'after (seen-hover)) seen)
    ;; A name in two files, one of which nobody has opened.
    (find-file (expand-file-name "b/package.json" (file-name-directory manifest)))
    (if (fboundp 'js-json-mode) (js-json-mode) (json-mode))
    (eglot--maybe-activate-editing-mode)
    (seen-on "old")
    ;; It asks about files that are not visited.
    (cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t)))
      (eglot-rename "legacy"))
    (push (cons 'renamed (vconcat (mapcar (lambda (it)
                                            (with-current-buffer (find-file-noselect (expand-file-name it (file-name-directory manifest)))
                                              (prog1 (buffer-substring-no-properties (point-min) (point-max))
                                                (set-buffer-modified-p nil))))
                                          '("pnpm-workspace.yaml" "b/package.json"))))
          seen)
    (push (cons 'alive (if (jsonrpc-running-p (eglot-current-server)) t :json-false)) seen)
    (eglot-shutdown (eglot-current-server))
    seen))

(let ((seen (condition-case problem (seen-work) (error (list (cons 'failed (error-message-string problem)))))))
  (with-temp-file (getenv "REPORT") (insert (json-encode seen))))
